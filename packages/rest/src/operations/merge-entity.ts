import { entityReconciliations } from '../reconcile/reconcile-entity.ts'
import { type EntityWrite, ifMatch, type WriteResult } from '../request/entity-write.ts'
import { mergeRequest } from '../request/merge-request.ts'
import type { Operation } from '../request/operation.ts'

/**
 * Merges properties into an entity if its ETag matches: the properties in the request change, the
 * others stay. A property that is sent as null keeps its value.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/merge-entity
 */
export const mergeEntity: Operation<EntityWrite, WriteResult> = {
  name: 'mergeEntity',
  statuses: [204],

  toRequest(write, endpoint) {
    return mergeRequest(write, endpoint, ifMatch('mergeEntity', write))
  },

  fromResponse: ({ headers, status }) => ({ etag: headers.etag, status }),

  reconcile: entityReconciliations.mergeEntity,
}
