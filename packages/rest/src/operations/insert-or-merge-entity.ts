import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { unconditionalWrite } from './body-write.ts'

/**
 * Stores an entity, or merges it into an existing one: the properties that are sent change, the others
 * stay.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/insert-or-merge-entity
 */
export const insertOrMergeEntity: Operation<EntityWrite, WriteResult> = unconditionalWrite(
  'insertOrMergeEntity',
  'MERGE',
)
