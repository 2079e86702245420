import { DateTimeValue } from '@rowkey/odata'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { place } from '../../support/local-place.ts'
import { storedRow } from '../../support/stored-row.ts'

/** A write of the row below. */
export const call = (condition: { readonly 'if-match'?: string } = {}) =>
  readRequest(place, {
    method: 'PUT',
    resourcePath: "/people(PartitionKey='p',RowKey='r')",
    query: '',
    headers: { ...condition, 'content-type': 'application/json' },
    body: '{"b":1,"a":2}',
  })
/** The key of the row. */
export const key = { partitionKey: 'p', rowKey: 'r' }
/** The row before the write. */
export const before = storedRow(
  key,
  new DateTimeValue(0),
  new Map([
    ['z', { type: 'Int32', value: 0 } as const],
    ['b', { type: 'Int32', value: 0 } as const],
  ]),
)
/** The time of the write. */
export const stamp = () => new DateTimeValue(1)
