import type { QueryParameters } from '../call/query-parameters.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { type KeyRange, rangeBetween } from '../store/key-range.ts'

/**
 * The rows that a table's SAS is for: from `spk` and `srk` to `epk` and `erk`, both included.
 *
 * @throws ServiceFault AuthenticationFailed when a RowKey is given without its PartitionKey
 */
export function sasKeyRange(token: QueryParameters): KeyRange {
  const first = { partitionKey: token.get('spk'), rowKey: token.get('srk') }
  const last = { partitionKey: token.get('epk'), rowKey: token.get('erk') }
  for (const { partitionKey, rowKey } of [first, last]) {
    if (partitionKey === undefined && rowKey !== undefined) {
      throw new ServiceFault('AuthenticationFailed')
    }
  }
  return rangeBetween(first, last)
}
