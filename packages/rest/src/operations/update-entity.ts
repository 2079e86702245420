import { checkEntity } from '../checks/check-entity.ts'
import { entityPath } from '../entity/entity-path.ts'
import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import { ifMatch } from '../entity/if-match.ts'
import { BODY_HEADERS } from '../http/table-headers.ts'
import type { Operation } from '../operation.ts'
import { entityReconciliation } from '../truth/entity-reconciliation.ts'
import { byCondition, judgeReplacement } from '../truth/judge-entity.ts'

/**
 * Replaces a whole entity if its ETag is still the one given: properties that are not sent are gone.
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

  fromResponse: ({ headers }) => ({ etag: headers.etag }),

  reconcile: entityReconciliation(byCondition(judgeReplacement)),
}
