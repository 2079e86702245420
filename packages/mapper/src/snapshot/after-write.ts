import {
  type AppliedWrite,
  currentNames,
  inDoubt,
  isOfRow,
  keepSnapshot,
  type Snapshot,
  snapshotOf,
  union,
  withoutKeys,
} from './snapshot.ts'
import { isUnseen, snapshotBefore, type WrittenObject } from './written-object.ts'

/**
 * Records a write that the service applied, and updates the snapshot of its object.
 *
 * @param write - the write
 * @param etag - the ETag that it gave the row
 * @returns the object's snapshot after the write
 */
export function afterApplied(write: WrittenObject, etag: string | undefined): Snapshot | undefined {
  const isReplaced = write.whole && write.row !== undefined
  const snapshot = afterWrite(isReplaced ? undefined : snapshotBefore(write), { write, etag })
  write.outcome.after = { snapshot }
  if (isUnseen(write)) return afterUnseen(write)
  if (snapshot !== undefined) keepNext(write.entity, snapshot)
  return snapshot
}

/** Records a write that the service may have applied, and the doubt in the snapshot of its object. */
export function afterUncertain(write: WrittenObject): void {
  write.outcome.after = { snapshot: inDoubt(snapshotBefore(write), write) }
  keepDoubt(write)
}

/** Attaches the next snapshot of an object. The properties of other programs stay theirs. */
function keepNext(entity: object, next: Snapshot): void {
  const foreign = snapshotOf(entity)?.foreign
  keepSnapshot(entity, foreign === undefined ? next : { ...next, foreign })
}

/**
 * Records on an object that a write may have been applied. An object that now has another row stays as it
 * is.
 */
export function keepDoubt(write: WrittenObject): void {
  const known = snapshotOf(write.entity)
  const isOfWrite = known !== undefined && isOfRow(known, write.origin, write.key)
  const snapshot = isOfWrite ? inDoubt(known, write) : undefined
  if (snapshot !== undefined) keepNext(write.entity, snapshot)
}

/**
 * Ends a write that was made before its object was read again. The object shows what was read, with that
 * ETag, and not what the write stored later. The next write with that ETag is rejected if the row changed.
 */
function afterUnseen(write: WrittenObject): Snapshot | undefined {
  // It may have deleted the row that was read.
  if (write.row === undefined) keepDoubt(write)
  return snapshotOf(write.entity)
}

/**
 * Returns the snapshot after a write that was applied.
 *
 * @param before - what was known of the same row; `undefined` when nothing was
 */
export function afterWrite(
  before: Snapshot | undefined,
  { write, etag }: AppliedWrite,
): Snapshot | undefined {
  const { origin, row, whole, onto, later } = write
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

function without(
  names: ReadonlySet<string> | undefined,
  sent: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined
  const left = [...names].filter((name) => !sent.has(name))
  return left.length === 0 ? undefined : new Set(left)
}
