import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import { ifMatch } from '../entity/if-match.ts'
import { mergeRequest } from '../entity/merge-request.ts'
import type { Operation } from '../operation.ts'
import { entityReconciliation } from '../truth/entity-reconciliation.ts'
import { byCondition, judgeMerge } from '../truth/judge-entity.ts'

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
