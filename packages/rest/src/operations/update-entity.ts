import { entityReconciliations } from '../reconcile/reconcile-entity.ts'
import { BODY_HEADERS } from '../request/body-headers.ts'
import { checkEntity } from '../request/check-entity.ts'
import { type EntityWrite, ifMatch, type WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { entityPath } from '../request/path.ts'

/**
 * Replaces an entity completely if its ETag matches: properties that are not in the request are
 * removed.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/update-entity2
 */
export const updateEntity: Operation<EntityWrite, WriteResult> = {
  name: 'updateEntity',
  statuses: [204],

  toRequest(write, endpoint) {
    checkEntity(write, endpoint)
    return {
      method: 'PUT',
      origin: endpoint.origin,
      path: entityPath(endpoint, write.table, write.key),
      query: '',
      headers: { 'if-match': ifMatch('updateEntity', write), ...BODY_HEADERS },
      body: write.body,
    }
  },

  fromResponse: ({ headers, status }) => ({ etag: headers.etag, status }),

  reconcile: entityReconciliations.updateEntity,
}
