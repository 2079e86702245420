import type { HttpResponse } from '../http/transport.ts'
import { changeSetReconciliation } from '../reconcile/reconcile-change-set.ts'
import type { WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { tableSegment } from '../request/path.ts'
import { requestIdOf } from '../response/response-headers.ts'
import { readPartErrorBody } from '../response/service-error.ts'
import { batchErrorOf } from '../transaction/batch-error.ts'
import { type Change, checkChangeSet } from '../transaction/check-change-set.ts'
import { decodeChangeSet, strangeBatch } from '../transaction/decode-change-set.ts'
import { batchRequest } from '../transaction/encode-change-set.ts'

/** Changes that happen all or not at all. */
export interface ChangeSet {
  /** The table of all the changes. */
  readonly table: string
  /** 1 to 100 changes of one PartitionKey, each entity once, at most 4 MiB in all. */
  readonly changes: readonly Change[]
}

/**
 * Makes up to 100 changes in one partition, all or none. The results are in the order of the changes;
 * when one change fails, the BatchError says which.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
 */
export const entityGroupTransaction: Operation<ChangeSet, WriteResult[]> = {
  name: 'entityGroupTransaction',
  statuses: [202],

  toRequest({ table, changes }, endpoint) {
    tableSegment(endpoint, table)
    checkChangeSet(table, changes, endpoint)
    const requests = changes.map(({ operation, input }) => operation.toRequest(input, endpoint))
    return batchRequest(requests, endpoint)
  },

  fromResponse(response, { changes }, strict = false) {
    const parts = decodeChangeSet(response)
    const failed = parts.find(
      (part) => part.status >= 300 && (strict || !isExpected(part, changes)),
    )
    if (failed) throw batchErrorOf(failed, changes, requestIdOf(response))
    return readResults(parts, changes)
  },

  reconcile: changeSetReconciliation,
}

/**
 * Reads the results of the changes of a transaction that was applied.
 *
 * @param parts - the parts of the response
 * @param changes - the changes, in the same order
 * @throws `DecodeError` when the parts are not the results of these changes
 */
export function readResults(
  parts: readonly HttpResponse[],
  changes: readonly Change[],
): WriteResult[] {
  if (parts.length !== changes.length) {
    throw strangeBatch(`of ${changes.length} changes has ${parts.length} results`)
  }
  return changes.map(({ operation, input }, index) => {
    const part = parts[index]!
    if (part.status < 300 && operation.statuses?.includes(part.status) === false) {
      throw strangeBatch(
        `has the status ${part.status} for change ${index}, which the Table service does not return`,
      )
    }
    return operation.fromResponse(part, input)
  })
}

/** Tells whether a part is an expected error of a single read, such as a missing entity. */
function isExpected(part: HttpResponse, [change, ...others]: readonly Change[]): boolean {
  const expects = others.length === 0 ? change?.operation.expects : undefined
  return expects?.includes(readPartErrorBody(part).code) === true
}
