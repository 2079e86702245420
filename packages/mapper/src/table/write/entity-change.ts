import type { CallOptions, Change, WriteResult } from '@rowkey/rest'
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

/** Sends the writes of one table: a {@link ChangeSender}, or one that stores more with each write. */
export interface WriteSender {
  /** Sends one change in a request of its own. */
  send(change: EntityChange, options: CallOptions): Promise<WriteResult>
  /** Sends one delete; returns false when the entity did not exist. */
  deleteIfExists(change: EntityChange, options: CallOptions): Promise<boolean>
  /**
   * Sends changes of one partition in one request: all are applied, or none.
   *
   * @param companions - what is stored with them, for no object
   * @returns the results of the changes, and then those of the companions
   */
  sendAll(
    changes: readonly EntityChange[],
    options: CallOptions,
    companions?: readonly Change[],
  ): Promise<WriteResult[]>
}
