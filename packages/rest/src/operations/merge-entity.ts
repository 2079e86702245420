import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { conditionalWrite } from './body-write.ts'

/**
 * Merges properties into an entity if its ETag matches: the properties in the request change, the
 * others stay. A property that is sent as null keeps its value.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/merge-entity
 */
export const mergeEntity: Operation<EntityWrite, WriteResult> = conditionalWrite(
  'mergeEntity',
  'MERGE',
)
