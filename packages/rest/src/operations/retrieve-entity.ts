import { toReadRequest } from '../request/entity-read.ts'
import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { toReadResult } from '../response/read-entity.ts'
import { MISSING_ENTITY } from './get-entity.ts'

/**
 * Reads one entity in a transaction of its own. The entity is `raw` of the result, which is empty when
 * the entity does not exist.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
 */
export const retrieveEntity: Operation<EntityWrite, WriteResult> = {
  name: 'retrieveEntity',
  statuses: [200],
  expects: MISSING_ENTITY,
  toRequest: toReadRequest,
  fromResponse: (response, input) =>
    response.status === 404 ? { status: 404 } : toReadResult('retrieveEntity', response, input),
}
