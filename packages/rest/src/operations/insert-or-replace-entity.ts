import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { unconditionalWrite } from './body-write.ts'

/**
 * Stores an entity, or replaces an existing one with the same keys completely.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/insert-or-replace-entity
 */
export const insertOrReplaceEntity: Operation<EntityWrite, WriteResult> = unconditionalWrite(
  'insertOrReplaceEntity',
  'PUT',
)
