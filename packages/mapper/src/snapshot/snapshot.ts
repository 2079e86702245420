import type { EntityKey } from '@rowkey/odata'
import type { LaterRow, OriginalRow } from '../codec/row-codec.ts'
import type { Row } from '../member/row.ts'
import { objectField } from './object-field.ts'

/** The table that a row is in. */
export interface RowOrigin {
  /** Tells accounts apart: see `TableService.accountId`. */
  readonly account: string
  /** The name of the table, spelled so that equal names name one table. */
  readonly table: string
}

/** The origin of entities that no table has read: it equals no table's. */
export const NOWHERE: RowOrigin = Object.freeze({ account: '', table: '' })

/**
 * The knowledge that an object has of one stored row.
 *
 * It is bound to the account, the table and the key of the row: {@link isOfRow} tells whether it counts. A snapshot never changes. Each
 * event makes the next one: see `afterWrite` and {@link inDoubt}.
 *
 * ```text
 *                    a merge by the ETag, a replace, a read
 *            ┌──────────────────────────────────────────────────┐
 *            ▼                                                  │
 *      ┌───────────┐  a merge past others    ┌───────────────┐  │
 *   ──▶│   known   │────────────────────────▶│ known in part │──┤  `current`: the names that are known at `etag`
 *      └───────────┘                         └───────────────┘  │
 *            │  the response to a write is lost                 │
 *            ├───────────────────────────────▶ in doubt ────────┤  `doubtful`: the names that it sent; of a delete, `exists: 'maybe'`
 *            │  a delete                                        │
 *            └───────────────────────────────▶ gone ────────────┘  `exists: 'no'`; a write past others makes it `'maybe'`
 * ```
 *
 * Besides, `partial` rows were read with `select`, and `other` rows are of another version than the object.
 */
export interface Snapshot extends OriginalRow {
  /** The table that the row is in. */
  readonly origin: RowOrigin
  /**
   * The ETag of the version that the row is known at; `undefined` when the service returned none.
   */
  readonly etag: string | undefined
  /**
   * Which stored names are certain at this ETag: all (`undefined`), those in `row` (`'row'`), or the ones listed. {@link currentNames}
   * returns them.
   */
  readonly current?: 'row' | ReadonlySet<string> | undefined
  /**
   * Whether the row was deleted, or a delete of it is in doubt; absent when it exists. A write with the old ETag fails; a write with
   * `'*'` creates the row again.
   */
  readonly exists?: 'no' | 'maybe' | undefined
  /**
   * The row is of another version than the object. An object of an earlier row replaces it. A row of the next version, this one, gets
   * only what changed in the object, and `row` has what neither version declares.
   */
  readonly other?: 'earlier' | LaterRow | undefined
}

const snapshotField = objectField<Snapshot>()

/**
 * Returns the snapshot of the row that an object was last read from or written to, in any table.
 */
export function snapshotOf(entity: object): Snapshot | undefined {
  return snapshotField.read(entity)
}

/** Attaches the snapshot of a row to an object. The object may be frozen. */
export function keepSnapshot(entity: object, snapshot: Snapshot): void {
  snapshotField.keep(entity, snapshot)
}

/** Whether a snapshot is of a row in this table, whatever its key. */
export function isOfTable(
  { origin }: Pick<Snapshot, 'origin'>,
  { account, table }: RowOrigin,
): boolean {
  return origin.account === account && origin.table === table
}

/**
 * Whether a snapshot is of the row in this table under this key; of another row, it counts for
 * nothing.
 */
export function isOfRow(snapshot: Snapshot, origin: RowOrigin, key: EntityKey): boolean {
  if (!isOfTable(snapshot, origin)) return false
  const { partitionKey, rowKey } = snapshot.row.key
  return partitionKey === key.partitionKey && rowKey === key.rowKey
}

/**
 * Whether the ETag that an object shows is of the row that its snapshot is of, and not the caller's own. A
 * frozen object still shows the ETag that it had when it was frozen.
 */
export function isEtagOfSnapshot(entity: object, etag: string | undefined): boolean {
  const snapshot = snapshotOf(entity)
  return snapshot !== undefined && (snapshot.etag === etag || Object.isFrozen(entity))
}

/** Whether everything stored in the row is known at the version of the snapshot's ETag. */
export function isComplete({ partial, current }: Snapshot): boolean {
  return !partial && current === undefined
}

/** The stored names known at the version of the snapshot's ETag; `undefined` when all are. */
export function currentNames(snapshot: Snapshot): ReadonlySet<string> | undefined {
  return snapshot.current === 'row' ? snapshot.row.names : snapshot.current
}

/** What a write sends to a row, as far as the next snapshot depends on it. */
export interface SentRow {
  /** The table that it was sent to. */
  readonly origin: RowOrigin
  /** The row that was sent; `undefined` for a delete. */
  readonly row: Row | undefined
  /** It was the whole entity: other properties are not stored. Otherwise it was merged. */
  readonly whole: boolean
  /** The ETag that it was conditional on; `undefined` when it went past whatever was stored. */
  readonly onto: string | undefined
  /** What the object has in its own version, when the row is of the next one. */
  readonly later?: LaterRow | undefined
}

/**
 * Returns the snapshot after a write that was applied.
 *
 * @param before - what was known of the same row; `undefined` when nothing was
 * @param sent - what the write sent
 * @param etag - the ETag that it gave the row; `undefined` when the service returned none
 */
export function afterWrite(
  before: Snapshot | undefined,
  { origin, row, whole, onto, later }: SentRow,
  etag: string | undefined,
): Snapshot | undefined {
  // The ETag stays: the next write that is conditional on it learns that the row is gone. Nothing is left
  // that was not selected, and the defaults that the object shows are as unsaved as its other values.
  if (row === undefined) {
    return before && { ...before, partial: false, initial: undefined, exists: 'no' }
  }
  if (later !== undefined) {
    const { own } = later
    return { origin, row: later.row, etag, partial: false, other: { row, own } }
  }
  if (whole) return { origin, row, etag, partial: false }
  const isKnownVersion = before !== undefined && onto !== undefined && onto === before.etag
  if (before === undefined || (before.exists === 'no' && !isKnownVersion)) {
    return { origin, row, etag, partial: false, current: 'row' }
  }
  const { partial, doubtful, initial } = before
  const current = currentNames(before)
  const merged = before.row.merge(row)
  // A merge leaves alone what it does not hold, so that is known as it was in the version merged into.
  const isSimple = isKnownVersion && !current && !doubtful && !initial
  if (isSimple) return { origin, row: merged, etag, partial }
  const sent = row.names
  return {
    origin,
    row: merged,
    etag,
    partial,
    current: isKnownVersion ? current && union(current, sent) : sent,
    doubtful: without(doubtful, sent),
    initial: initial && withoutKeys(initial, sent),
  }
}

/**
 * Returns the snapshot while a write may or may not have been applied. The ETag stays as it is,
 * so a write that is
 * conditional on it fails if this one was applied.
 *
 * @param before - what was known of the same row; `undefined` when nothing was
 */
export function inDoubt(before: Snapshot | undefined, write: SentRow): Snapshot | undefined {
  if (before === undefined) return undefined
  const { row: sent, whole, onto } = write
  // Once the row is deleted, its ETag matches nothing.
  if (
    before.exists === 'no' &&
    (sent === undefined || (onto !== undefined && onto === before.etag))
  ) {
    return before
  }
  if (sent === undefined) return { ...before, exists: 'maybe' }
  // It may have stored the row again, and nothing else of the deleted one.
  if (before.exists === 'no') {
    const row = write.later?.row ?? sent
    const current = currentNames(before)
    return { ...before, row, current, exists: 'maybe', doubtful: sent.names }
  }
  // A whole entity also removes what it does not hold.
  const names = whole ? union(sent.names, before.row.names) : sent.names
  // Nor did the object show a default that a whole entity does not hold.
  const initial = whole ? undefined : before.initial && withoutKeys(before.initial, sent.names)
  return {
    ...before,
    doubtful: before.doubtful === undefined ? names : union(before.doubtful, names),
    initial,
  }
}

/** Joins two sets of stored names. */
function union(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one, ...other])
}

/** Leaves out the members that a write sent. */
function withoutKeys(
  texts: ReadonlyMap<string, string>,
  sent: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  return new Map([...texts].filter(([name]) => !sent.has(name)))
}

function without(
  names: ReadonlySet<string> | undefined,
  sent: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined
  const left = [...names].filter((name) => !sent.has(name))
  return left.length === 0 ? undefined : new Set(left)
}
