import { entityReconciliations } from '../reconcile/reconcile-entity.ts'
import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import { mergeRequest } from '../request/merge-request.ts'
import type { Operation } from '../request/operation.ts'

/**
 * Stores an entity, or merges it into an existing one: the properties that are sent change, the others
 * stay.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/insert-or-merge-entity
 */
export const insertOrMergeEntity: Operation<EntityWrite, WriteResult> = {
  name: 'insertOrMergeEntity',
  statuses: [204],
  needsEntity: false,

  toRequest(write, endpoint) {
    return mergeRequest(write, endpoint)
  },

  fromResponse: ({ headers, status }) => ({ etag: headers.etag, status }),

  reconcile: entityReconciliations.insertOrMergeEntity,
}
