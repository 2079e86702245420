import {
  type EntityRead,
  type ReadResult,
  toReadRequest,
  toReadResult,
} from '../entity/entity-read.ts'
import type { Operation } from '../operation.ts'

/**
 * Reads one entity by its keys, or nothing when there is none. A missing table is still a
 * TableNotFoundError.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-entities
 */
export const findEntity: Operation<EntityRead, ReadResult | undefined> = {
  name: 'findEntity',
  statuses: [200],
  expects: ['ResourceNotFound', 'EntityNotFound'],
  toRequest: toReadRequest,
  fromResponse: (response, input) =>
    response.status === 404 ? undefined : toReadResult('findEntity', response, input),
}
