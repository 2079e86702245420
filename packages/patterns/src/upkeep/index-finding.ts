import type { EntityKey, RowkeyError } from '@rowkey/odata'
import type { IndexState } from '../catalogue/catalogue-rows.ts'

/** One difference between a row and an entry of an index. */
export interface IndexFinding {
  /** The name of the index. */
  readonly index: string
  /**
   * What is wrong:
   *
   * - `missing`: the row has no entry
   * - `stale`: the entry does not have the values of the row
   * - `dangling`: the entry has no row, or the row has another entry
   * - `duplicate`: the index is unique, and `entry` belongs to another row
   * - `unreadable`: the model cannot read the row, or the index cannot hold its values; `error` says why
   */
  readonly kind: 'missing' | 'stale' | 'dangling' | 'duplicate' | 'unreadable'
  /** The row. */
  readonly row: EntityKey
  /** The entry that is or should be stored; `undefined` for an unreadable row. */
  readonly entry: EntityKey | undefined
  /** Why a row is unreadable. */
  readonly error?: RowkeyError | undefined
  /**
   * Whether the difference was repaired. A duplicate cannot be repaired: change one of the two rows. An unreadable row cannot,
   * either: mend or delete it.
   */
  readonly repaired: boolean
}

/** How far `verify` or `repair` is. */
export interface IndexProgress {
  /** How many rows were compared with their entries. */
  readonly rows: number
  /** How many entries were compared with their rows. */
  readonly entries: number
  /** How many differences were found. */
  readonly found: number
  /** The first 100 of them. */
  readonly findings: readonly IndexFinding[]
  /** How many of them were repaired. */
  readonly repaired: number
  /** Where a later run continues: pass it as `from`. `undefined` at the end. */
  readonly next: string | undefined
}

/** How far the build of some indexes is, whichever program does it: the catalogue holds it. */
export interface IndexBuild {
  /** The names of the indexes that are built together. */
  readonly indexes: readonly string[]
  /** When the first builder began. */
  readonly startedAt: Date
  /** When the builder last said how far it is. */
  readonly lastSeenAt: Date
  /** When the build ended; `undefined` while rows are left. */
  readonly endedAt: Date | undefined
  /** How many rows were compared with their entries. */
  readonly rows: number
  /** How many entries were compared with their rows. */
  readonly entries: number
  /** How many differences were found. */
  readonly found: number
  /** How many of them were repaired: entries that were written or removed. */
  readonly repaired: number
  /** The indexes that stay `uniquenessPending`, because several rows share a value. */
  readonly duplicates: readonly string[]
  /** The indexes that keep their state, because a row is unreadable. */
  readonly unreadable: readonly string[]
}

/** How an index stands after {@link IndexedTable.ensure}. */
export interface IndexReport {
  /** The name of the index. */
  readonly index: string
  /** Its state now. */
  readonly state: IndexState
  /**
   * What was done: `nothing` for an index that was readable, or that was removed; `built`; or `replaced`, when another declaration had the
   * index, whose entries were removed before it was built.
   */
  readonly done: 'nothing' | 'built' | 'replaced'
}
