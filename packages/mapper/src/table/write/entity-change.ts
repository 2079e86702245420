import type { Change } from '@rowkey/rest'
import type { RowCheck } from '../../snapshot/write-guard.ts'
import type { ObjectWrite } from '../../snapshot/writes-in-flight.ts'

/** One change, ready to be sent alone or in a batch, and the observer of its outcome. */
export interface EntityChange extends Change {
  /** The object that is written or deleted, and what its snapshot needs; absent for a read, and when only a key is known. */
  readonly write?: ObjectWrite | undefined
  /**
   * Checks the stored row before it is changed; absent when any row will do. The sender then binds the write to the
   * version of the row that passed the check.
   */
  readonly check?: RowCheck | undefined
}

/**
 * Records a replace as a merge for its idempotency key. A repetition may find a row that a merge can
 * change, and then merges.
 */
export function asMerge(change: EntityChange): EntityChange {
  return { ...change, input: { ...change.input, knownAs: 'mergeEntity' } }
}
