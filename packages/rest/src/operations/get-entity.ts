import { type EntityRead, type ReadResult, toReadRequest } from '../request/entity-read.ts'
import type { Operation } from '../request/operation.ts'
import { toReadResult } from '../response/read-entity.ts'

/**
 * Reads one entity by its keys. It fails with an EntityNotFoundError when the entity does not exist. On
 * Cosmos DB it fails in the same way when the table does not exist.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-entities
 */
export const getEntity: Operation<EntityRead, ReadResult> = {
  name: 'getEntity',
  statuses: [200],
  toRequest: toReadRequest,
  fromResponse: (response, input) => toReadResult('getEntity', response, input),
}

/** The codes of a missing entity. */
export const MISSING_ENTITY: readonly string[] = ['ResourceNotFound', 'EntityNotFound']

/**
 * Reads one entity by its keys; the output is `undefined` when it does not exist. It fails with a
 * TableNotFoundError when the table does not exist. Cosmos DB returns the code of a missing entity for a
 * missing table too.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-entities
 */
export const findEntity: Operation<EntityRead, ReadResult | undefined> = {
  name: 'findEntity',
  statuses: [200],
  expects: MISSING_ENTITY,
  toRequest: toReadRequest,
  fromResponse: (response, input) =>
    response.status === 404 ? undefined : toReadResult('findEntity', response, input),
}
