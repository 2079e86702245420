import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import type { Operation } from '../operation.ts'

/** One write inside an entity group transaction: an operation and what it needs. */
export interface Change {
  /**
   * {@link insertEntity}, {@link updateEntity}, {@link mergeEntity}, {@link insertOrReplaceEntity},
   * {@link insertOrMergeEntity} or {@link deleteEntity}; or, when it is the only one,
   * {@link getEntity} or {@link retrieveEntity}, whose result has the entity as `raw`.
   */
  readonly operation: Operation<EntityWrite, WriteResult>
  /** What the operation needs. */
  readonly input: EntityWrite
}
