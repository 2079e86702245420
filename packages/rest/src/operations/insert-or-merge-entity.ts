import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import { mergeRequest } from '../entity/merge-request.ts'
import type { Operation } from '../operation.ts'
import { entityReconciliation } from '../truth/entity-reconciliation.ts'
import { judgeMerge } from '../truth/judge-entity.ts'

/**
 * Stores an entity, or changes the properties that are sent of one with its keys and keeps the others.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/insert-or-merge-entity
 */
export const insertOrMergeEntity: Operation<EntityWrite, WriteResult> = {
  name: 'insertOrMergeEntity',
  statuses: [204],

  toRequest(write, endpoint) {
    return mergeRequest(write, endpoint)
  },

  fromResponse: ({ headers }) => ({ etag: headers.etag }),

  reconcile: entityReconciliation(judgeMerge),
}
