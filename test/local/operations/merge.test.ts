import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { merge } from '../../../packages/local/src/operations/change-entity.ts'
import { Rejection } from '../../../packages/local/src/rejection/rejection.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { place } from '../../support/local-place.ts'
import { decodedProperties, storedRow } from '../../support/stored-row.ts'

const call = readRequest(place, {
  method: 'PUT',
  resourcePath: "/people(PartitionKey='p',RowKey='r')",
  query: '',
  headers: { 'if-match': 'W/"v1"', 'content-type': 'application/json' },
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

describe('merge', () => {
  it('R-45: merges the sent properties into the row, with names in order', () => {
    const after = merge(call, () => {}).apply(before, stamp)
    expect(
      Array.from(decodedProperties(after?.properties ?? []), ([name, { value }]) => [name, value]),
    ).toEqual([
      ['a', 2],
      ['b', 1],
      ['z', 0],
    ])
  })

  it('R-44: begins with an empty entity for a missing row', () => {
    const after = merge(call, () => {}).apply(undefined, stamp)
    expect(after?.properties.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('lets the caller reject the current row', () => {
    const change = merge(call, (current, ifMatch) => {
      expect([current, ifMatch]).toEqual([before, 'W/"v1"'])
      throw new Rejection('UpdateConditionNotSatisfied')
    })
    expect(() => change.apply(before, stamp)).toThrow(expect.objectContaining({ status: 412 }))
  })
})
