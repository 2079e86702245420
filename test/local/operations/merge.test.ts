import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { mergeEntity } from '../../../packages/local/src/operations/change-entity.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { place } from '../../support/local-place.ts'
import { decodedProperties, storedRow } from '../../support/stored-row.ts'

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

describe('mergeEntity', () => {
  it('R-45: merges the sent properties into the row, with names in order', () => {
    const after = mergeEntity(call()).apply(before, stamp)
    expect(
      Array.from(decodedProperties(after?.properties ?? []), ([name, { value }]) => [name, value]),
    ).toEqual([
      ['a', 2],
      ['b', 1],
      ['z', 0],
    ])
  })

  it('R-44: begins with an empty entity for a missing row', () => {
    const after = mergeEntity(call()).apply(undefined, stamp)
    expect(after?.properties.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('R-46: rejects a row of another version, and a missing one', () => {
    const change = mergeEntity(call({ 'if-match': 'W/"v1"' }))
    expect(() => change.apply(before, stamp)).toThrow(expect.objectContaining({ status: 412 }))
    expect(() => change.apply(undefined, stamp)).toThrow(expect.objectContaining({ status: 404 }))
    const same = mergeEntity(call({ 'if-match': before.etag }))
    expect(same.apply(before, stamp)).toBeDefined()
  })
})
