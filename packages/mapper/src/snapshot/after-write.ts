import {
  annotationName,
  compareKeys,
  parseEntityObject,
  type RawEntity,
  ticksOf,
  timestampOfEtag,
} from '@rowkey/odata'
import {
  type AppliedWrite,
  currentNames,
  inDoubt,
  isOfRow,
  isOfTable,
  keepSnapshot,
  namesOf,
  rowOf,
  type Snapshot,
  snapshotOf,
  union,
  withoutKeys,
} from './snapshot.ts'
import {
  type DoubtfulWrite,
  type ObjectWrite,
  type Overlap,
  type OverlappingWrite,
  reloadsOf,
  type WriteInFlight,
} from './writes-in-flight.ts'

/**
 * Ends a write that the service applied, and updates the snapshot of its object.
 *
 * @param ended - the write
 * @param etag - the ETag that it gave the row
 * @returns the object's snapshot after the write
 */
export function afterApplied(ended: WriteInFlight, etag: string | undefined): Snapshot | undefined {
  const { write, began, overlap } = ended
  if (write.reloads !== reloadsOf(write.entity)) return afterUnseen(ended)
  if (overlap !== undefined) {
    const applied = { write, etag, began, ended: ++overlap.events }
    overlap.applied.push(applied)
    return afterOverlap(ended, overlap)
  }
  // Most writes are alone.
  ended.end()
  const isReplaced = write.whole && write.body !== undefined
  const snapshot = afterWrite(isReplaced ? undefined : knownOf(write), { write, etag })
  if (snapshot !== undefined) keepNext(write.entity, snapshot)
  return snapshot
}

/** Ends a write that the service may have applied, and records the doubt in the snapshot of its object. */
export function afterUncertain(ended: WriteInFlight): void {
  const { write, overlap } = ended
  overlap?.doubtful.push({ write, ended: ++overlap.events })
  if (overlap !== undefined && knownOf(write) !== undefined) {
    afterOverlap(ended, overlap)
    return
  }
  ended.end()
  keepDoubt(write)
}

/** Attaches the next snapshot of an object. The properties of other programs stay theirs. */
function keepNext(entity: object, next: Snapshot): void {
  const foreign = snapshotOf(entity)?.foreign
  keepSnapshot(entity, foreign === undefined ? next : { ...next, foreign })
}

/** Returns the snapshot that the object of a write has of its row. */
function knownOf({ entity, origin, key }: ObjectWrite): Snapshot | undefined {
  const known = snapshotOf(entity)
  return known && isOfRow(known, origin, key) ? known : undefined
}

/**
 * Records on an object that a write may have been applied. An object that now has another row stays as it
 * is.
 */
export function keepDoubt(write: ObjectWrite): void {
  const snapshot = inDoubt(knownOf(write), write)
  if (snapshot !== undefined) keepNext(write.entity, snapshot)
}

/**
 * Ends a write that was made before its object was read again. The object shows what was read, with that
 * ETag, and not what the write stored later. The next write with that ETag is rejected if the row changed.
 */
function afterUnseen(ended: WriteInFlight): Snapshot | undefined {
  ended.end()
  const { write } = ended
  // It may have deleted the row that was read.
  if (write.body === undefined) keepDoubt(write)
  return snapshotOf(write.entity)
}

/** Ends one of several writes, and records the outcome of all of them in the snapshot of its object. */
function afterOverlap(ended: WriteInFlight, overlap: Overlap): Snapshot | undefined {
  const { entity, origin, key } = ended.write
  const { base } = overlap
  ended.end()
  const isKnown = base !== undefined && isOfRow(base, origin, key)
  const isSameRow = (other: ObjectWrite) => isSame(other, ended.write)
  const snapshot = afterWrites(isKnown ? base : undefined, {
    applied: overlap.applied.filter((each) => isSameRow(each.write)),
    doubtful: overlap.doubtful.filter((each) => isSameRow(each.write)),
  })
  if (snapshot !== undefined) keepNext(entity, snapshot)
  return snapshot
}

function isSame(one: ObjectWrite, other: ObjectWrite): boolean {
  return isOfTable(one, other.origin) && compareKeys(one.key, other.key) === 0
}

/** Overlapping writes that have ended. */
export interface EndedWrites {
  /** Those that were applied. */
  readonly applied: readonly OverlappingWrite[]
  /** Those that may have been applied. */
  readonly doubtful: readonly DoubtfulWrite[]
}

/**
 * Returns the snapshot after several overlapping writes, applied one after another. Each ETag holds the
 * Timestamp of its write, and a write that began after another had ended came later.
 * Where nothing tells the order, what was sent is in doubt.
 *
 * @param before - what was known before the first of them ended
 * @param ended - the writes
 */
export function afterWrites(
  before: Snapshot | undefined,
  { applied, doubtful }: EndedWrites,
): Snapshot | undefined {
  const { ordered, unordered, hasStray } = inOrder(applied)
  const doubts = new Set(doubtful)
  let snapshot = before
  for (const each of ordered) {
    // A property that is sent again after a write ended in doubt is no longer in doubt.
    for (const doubt of doubts) {
      if (doubt.ended > each.began) continue
      snapshot = inDoubt(snapshot, doubt.write)
      doubts.delete(doubt)
    }
    snapshot = afterWrite(snapshot, each)
  }
  if (hasStray && snapshot?.deleted !== true) {
    snapshot = snapshot && { ...snapshot, maybeDeleted: true }
  }
  for (const { write } of unordered) snapshot = inDoubt(snapshot, write)
  // One of them gave the row its ETag, and nothing tells which.
  if (snapshot !== undefined && unordered.length > 0) {
    snapshot = { ...snapshot, etag: undefined, current: new Set() }
  }
  for (const { write } of doubts) snapshot = inDoubt(snapshot, write)
  return snapshot
}

interface Order {
  readonly ordered: readonly OverlappingWrite[]
  /** Those that stored the row, when nothing tells which came last. */
  readonly unordered: readonly OverlappingWrite[]
  /** A delete may have come later than its place among the ordered. */
  readonly hasStray: boolean
}

/**
 * A delete whose place is unknown comes as early as it can: what was stored before the writes is gone in any case.
 */
function inOrder(applied: readonly OverlappingWrite[]): Order {
  const stored = applied.filter(isStored)
  const deletes = applied.filter((each) => !isStored(each))
  const isKnown = stored.every((each, index) =>
    stored.slice(index + 1).every((other) => compare(each, other) !== undefined),
  )
  if (!isKnown) return { ordered: deletes, unordered: stored, hasStray: deletes.length > 0 }
  const ordered = stored.toSorted((one, other) => compare(one, other) ?? 0)
  for (const each of deletes) {
    const last = ordered.findLastIndex((other) => isStored(other) && compare(other, each) === -1)
    ordered.splice(last + 1, 0, each)
  }
  const hasStray = deletes.some((each) =>
    stored.some((other) => compare(each, other) === undefined),
  )
  return { ordered, unordered: [], hasStray }
}

function isStored({ write }: OverlappingWrite): boolean {
  return write.body !== undefined
}

/** Tells which of two writes was applied first, as for `sort`; `undefined` when it is unknown. */
function compare(one: OverlappingWrite, other: OverlappingWrite): -1 | 1 | undefined {
  if (one.ended < other.began) return -1
  if (other.ended < one.began) return 1
  const [first, second] = [ticksOfWrite(one), ticksOfWrite(other)]
  if (first === undefined || second === undefined) return undefined
  if (first === second) return isStored(one) ? -1 : 1
  return first < second ? -1 : 1
}

/** A delete gets no ETag. By the ETag of a version it came next after that version. */
function ticksOfWrite({ write, etag }: OverlappingWrite): bigint | undefined {
  return ticksIn(write.body === undefined ? write.onto : etag)
}

function ticksIn(etag: string | undefined): bigint | undefined {
  const timestamp = etag === undefined ? undefined : timestampOfEtag(etag)
  return timestamp && ticksOf(timestamp)
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
  const { origin, body, whole, onto, later } = write
  // The ETag stays: the next write that is conditional on it learns that the row is gone. Nothing is left
  // that was not selected, and the defaults that the object shows are as unsaved as its other values.
  if (body === undefined) {
    return before && { ...before, partial: false, initial: undefined, deleted: true }
  }
  if (later !== undefined) {
    const { row, own } = later
    return { origin, row, etag, partial: false, migrated: 'back', later: { row: body, own } }
  }
  if (whole) return { origin, row: body, etag, partial: false }
  const isKnownVersion = before !== undefined && onto !== undefined && onto === before.etag
  if (before === undefined || (before.deleted === true && !isKnownVersion)) {
    return { origin, row: body, etag, partial: false, current: 'row' }
  }
  const changes = parseEntityObject(body)
  const { partial, doubtful, initial } = before
  const current = currentNames(before)
  const row = overlaid(rowOf(before), changes)
  // A merge leaves alone what it does not hold, so that is known as it was in the version merged into.
  const isSimple = isKnownVersion && !current && !doubtful && !initial
  if (isSimple) return { origin, row, etag, partial }
  const sent = namesOf(changes)
  return {
    origin,
    row,
    etag,
    partial,
    current: isKnownVersion ? current && union(current, sent) : sent,
    doubtful: without(doubtful, sent),
    initial: initial && withoutKeys(initial, sent),
  }
}

/** Returns the stored row after a body was merged into it. */
export function afterMerge(before: RawEntity, body: string): RawEntity {
  return overlaid(before, parseEntityObject(body))
}

function overlaid(before: RawEntity, changes: RawEntity): RawEntity {
  // A spread, and no assignment, because `__proto__` is a legal property name.
  const merged: Record<string, unknown> = { ...before, ...changes }
  // A merge may change a property's type, so the annotation of the old type must go.
  for (const member of Object.keys(changes)) {
    const annotation = annotationName(member)
    if (!Object.hasOwn(changes, annotation)) delete merged[annotation]
  }
  return merged
}

function without(
  names: ReadonlySet<string> | undefined,
  sent: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined
  const left = [...names].filter((name) => !sent.has(name))
  return left.length === 0 ? undefined : new Set(left)
}
