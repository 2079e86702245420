import type { RowRule } from '../model/row-rule.ts'
import type { Snapshot } from './snapshot.ts'

/** Returns the rule that rejects every row. A write whose ETag is stale does not come so far. */
export function neverPasses(error: Error): RowRule {
  return {
    names: [],
    check() {
      throw error
    },
  }
}

/** Decides what must be true of the stored row of an entity before it is changed. */
export interface WriteGuard<Entity extends object = object> {
  /**
   * Rejects a merge whose resulting row cannot be computed but must be known, such as one of a signed entity.
   *
   * @param snapshot - the entity's snapshot of the row
   * @param etag - the ETag of the merge; `'*'` or `undefined` when the merge is unconditional
   * @returns the rule of the stored row, when only the row tells whether it can be merged into
   */
  checkMerge?(
    entity: Entity,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): RowRule | undefined
  /**
   * Returns the rule of the stored row that a whole entity replaces without knowing it; absent where any row can be
   * replaced.
   */
  checkReplace?(entity: Entity): RowRule | undefined
}
