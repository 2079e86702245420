import {
  type EntityRead,
  type ReadResult,
  toReadRequest,
  toReadResult,
} from '../entity/entity-read.ts'
import type { Operation } from '../operation.ts'

/**
 * Reads one entity by its keys. When there is none, it is an EntityNotFoundError.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-entities
 */
export const getEntity: Operation<EntityRead, ReadResult> = {
  name: 'getEntity',
  statuses: [200],
  toRequest: toReadRequest,
  fromResponse: (response, input) => toReadResult('getEntity', response, input),
}
