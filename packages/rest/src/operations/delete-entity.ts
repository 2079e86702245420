import { entityPath } from '../entity/entity-path.ts'
import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import { ifMatch } from '../entity/if-match.ts'
import { READ_HEADERS } from '../http/table-headers.ts'
import type { Operation } from '../operation.ts'
import { entityReconciliation } from '../truth/entity-reconciliation.ts'
import { byCondition, judgeDeletion } from '../truth/judge-entity.ts'
import { settleDeletion } from '../truth/settle-deletion.ts'

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
