import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { replaceEntity } from '../../../packages/local/src/operations/change-entity.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { place } from '../../support/local-place.ts'
import { storedRow } from '../../support/stored-row.ts'

const call = (condition: { readonly 'if-match'?: string } = {}) =>
  readRequest(place, {
    method: 'PUT',
    resourcePath: "/people(PartitionKey='p',RowKey='r')",
    query: '',
    headers: { ...condition, 'content-type': 'application/json' },
    body: '{"b":1,"a":2}',
  })
const key = { partitionKey: 'p', rowKey: 'r' }
const before = storedRow(
  key,
  new DateTimeValue(0),
  new Map([
    ['z', { type: 'Int32', value: 0 } as const],
    ['b', { type: 'Int32', value: 0 } as const],
  ]),
)
const stamp = () => new DateTimeValue(1)

describe('replaceEntity', () => {
  it('R-45: keeps only the sent properties, with names in order', () => {
    const after = replaceEntity(call()).apply(before, stamp)
    expect(after?.properties.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('R-46: rejects a row of another version, and a missing one', () => {
    const change = replaceEntity(call({ 'if-match': 'W/"v1"' }))
    expect(() => change.apply(before, stamp)).toThrow(expect.objectContaining({ status: 412 }))
    expect(() => change.apply(undefined, stamp)).toThrow(expect.objectContaining({ status: 404 }))
    const same = replaceEntity(call({ 'if-match': before.etag }))
    expect(same.apply(before, stamp)).toBeDefined()
  })
})
