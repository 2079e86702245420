import type { WriteResult } from '../entity/entity-write.ts'
import { DecodeError } from '../errors/decode-error.ts'
import { READ_HEADERS } from '../http/table-headers.ts'
import type { Operation } from '../operation.ts'
import { checkTableName } from '../table/table-name.ts'
import { batchErrorOf } from '../transaction/batch-error-of.ts'
import type { Change } from '../transaction/change.ts'
import { checkChangeSet } from '../transaction/check-change-set.ts'
import { decodeChangeSet } from '../transaction/decode-change-set.ts'
import { CHANGE_SET_TYPE, encodeChangeSet } from '../transaction/encode-change-set.ts'

/** Changes that happen all together or not at all. */
export interface ChangeSet {
  /** The table of all the changes. */
  readonly table: string
  /** 1 to 100 changes of one PartitionKey, each entity once, at most 4 MiB in all. */
  readonly changes: readonly Change[]
}

/**
 * Makes up to 100 changes in one partition, all or none. The results are in the order of the
 * changes; when one change fails, it is a BatchError that says which.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
 */
export const entityGroupTransaction: Operation<ChangeSet, WriteResult[]> = {
  name: 'entityGroupTransaction',

  toRequest({ table, changes }, endpoint) {
    checkTableName(table)
    checkChangeSet(table, changes)
    return {
      method: 'POST',
      origin: endpoint.origin,
      path: `${endpoint.basePath}/$batch`,
      query: '',
      headers: { ...READ_HEADERS, 'content-type': CHANGE_SET_TYPE },
      body: encodeChangeSet(changes, endpoint),
    }
  },

  fromResponse(response, { changes }) {
    const parts = decodeChangeSet(response)
    const failed = parts.find((part) => part.status >= 300)
    if (failed) throw batchErrorOf(failed, changes, response.headers['x-ms-request-id'])
    if (parts.length !== changes.length) throw wrongCount(parts.length, changes.length)
    return changes.map(({ operation, input }, index) =>
      operation.fromResponse(parts[index]!, input),
    )
  },
}

function wrongCount(found: number, expected: number): DecodeError {
  return new DecodeError({
    message: `The entity group transaction of ${expected} changes was answered with ${found} results. The outcome is unknown: it may have been applied.`,
    mayHaveApplied: true,
  })
}
