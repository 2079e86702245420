import { toReadRequest, toReadResult } from '../entity/entity-read.ts'
import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import type { Operation } from '../operation.ts'

/**
 * Reads one entity in a transaction, in which it must be alone: the entity is `raw` of the result,
 * which is empty when there is none.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
 */
export const retrieveEntity: Operation<EntityWrite, WriteResult> = {
  name: 'retrieveEntity',
  statuses: [200],
  expects: ['ResourceNotFound', 'EntityNotFound'],
  toRequest: toReadRequest,
  fromResponse: (response, input) =>
    response.status === 404 ? {} : toReadResult('retrieveEntity', response, input),
}
