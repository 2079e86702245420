import { checkEntity } from '../checks/check-entity.ts'
import { entityPath } from '../entity/entity-path.ts'
import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import { BODY_HEADERS } from '../http/table-headers.ts'
import type { Operation } from '../operation.ts'
import { entityReconciliation } from '../truth/entity-reconciliation.ts'
import { judgeReplacement } from '../truth/judge-entity.ts'

/**
 * Stores an entity whether or not there is one with its keys; one that is there is replaced whole.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/insert-or-replace-entity
 */
export const insertOrReplaceEntity: Operation<EntityWrite, WriteResult> = {
  name: 'insertOrReplaceEntity',
  statuses: [204],

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

  fromResponse: ({ headers }) => ({ etag: headers.etag }),

  reconcile: entityReconciliation(judgeReplacement),
}
