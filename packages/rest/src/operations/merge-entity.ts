import { byCondition, entityReconciliation, judgeMerge } from '../reconcile/reconcile-entity.ts'
import {
  type EntityWrite,
  ifMatch,
  mergeRequest,
  type WriteResult,
} from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'

/**
 * Changes the properties that are sent, if the ETag is still the one given, and keeps the others.
 * A property that is sent as null keeps its value.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/merge-entity
 */
export const mergeEntity: Operation<EntityWrite, WriteResult> = {
  name: 'mergeEntity',
  statuses: [204],

  toRequest(write, endpoint) {
    return mergeRequest(write, endpoint, ifMatch('mergeEntity', write))
  },

  fromResponse: ({ headers }) => ({ etag: headers.etag }),

  reconcile: entityReconciliation(byCondition(judgeMerge)),
}
