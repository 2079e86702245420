import { entityReconciliations } from '../reconcile/reconcile-entity.ts'
import { BODY_HEADERS } from '../request/body-headers.ts'
import { checkEntity } from '../request/check-entity.ts'
import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { entityPath } from '../request/path.ts'

/**
 * Stores an entity, or replaces an existing one with the same keys completely.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/insert-or-replace-entity
 */
export const insertOrReplaceEntity: Operation<EntityWrite, WriteResult> = {
  name: 'insertOrReplaceEntity',
  statuses: [204],
  needsEntity: false,

  toRequest(write, endpoint) {
    checkEntity(write, endpoint)
    return {
      method: 'PUT',
      origin: endpoint.origin,
      path: entityPath(endpoint, write.table, write.key),
      query: '',
      headers: BODY_HEADERS,
      body: write.body,
    }
  },

  fromResponse: ({ headers, status }) => ({ etag: headers.etag, status }),

  reconcile: entityReconciliations.insertOrReplaceEntity,
}
