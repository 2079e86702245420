import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { conditionalWrite } from './body-write.ts'

/**
 * Replaces an entity completely if its ETag matches: properties that are not in the request are
 * removed.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/update-entity2
 */
export const updateEntity: Operation<EntityWrite, WriteResult> = conditionalWrite(
  'updateEntity',
  'PUT',
)
