import {
  byCondition,
  entityReconciliation,
  judgeDeletion,
  settleDeletion,
} from '../reconcile/reconcile-entity.ts'
import { entityPath } from '../request/entity-path.ts'
import { type EntityWrite, ifMatch, type WriteResult } from '../request/entity-write.ts'
import { READ_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'

/**
 * Deletes an entity if its ETag is still the one given.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/delete-entity1
 */
export const deleteEntity: Operation<EntityWrite, WriteResult> = {
  name: 'deleteEntity',
  statuses: [204],

  toRequest(write, endpoint) {
    return {
      method: 'DELETE',
      origin: endpoint.origin,
      path: entityPath(endpoint, write.table, write.key),
      query: '',
      headers: { 'if-match': ifMatch('deleteEntity', write), ...READ_HEADERS },
      body: undefined,
    }
  },

  fromResponse: () => ({}),

  reconcile: entityReconciliation(byCondition(judgeDeletion), settleDeletion),
}
