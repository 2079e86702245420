import { EntityNotFoundError } from '../errors/service-error.ts'
import { entityReconciliations } from '../reconcile/reconcile-entity.ts'
import { type EntityWrite, ifMatch, type WriteResult } from '../request/entity-write.ts'
import { READ_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'
import { entityPath } from '../request/path.ts'
import { MISSING_ENTITY } from './get-entity.ts'

/**
 * Deletes an entity if its ETag matches.
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

  fromResponse: ({ status }) => ({ status }),

  reconcile: entityReconciliations.deleteEntity,
}

/** The outcome of a delete of an entity that may be missing. */
export interface DeletionResult extends WriteResult {
  /** Whether there was an entity, which is deleted now. */
  readonly deleted: boolean
}

/**
 * Deletes an entity if it exists and its ETag is still the one in the input. When the retry after a lost
 * response finds no entity, the first attempt counts as the one that deleted it.
 */
export const deleteEntityIfExists: Operation<EntityWrite, DeletionResult> = {
  ...deleteEntity,
  expects: MISSING_ENTITY,
  fromResponse: (response) => ({ deleted: response.status < 400 }),
  reconcile: {
    ...(deleteEntity.reconcile?.resolve && { resolve: deleteEntity.reconcile.resolve }),
    settle: (refusal) =>
      refusal instanceof EntityNotFoundError
        ? { outcome: 'applied', output: { deleted: true } }
        : { outcome: 'unknown' },
  },
}
