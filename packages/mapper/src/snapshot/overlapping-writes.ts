import { ticksOf, timestampOfEtag } from '@rowkey/odata'
import {
  type AppliedWrite,
  afterWrite,
  inDoubt,
  type SentWrite,
  type Snapshot,
} from './snapshot.ts'

/** A write that the service applied while other writes of the same object were in flight. */
export interface OverlappingWrite extends AppliedWrite {
  /** When it was sent, counted in events: each write that begins or ends is one. */
  readonly began: number
  /** When its response came. */
  readonly ended: number
}

/**
 * Returns the snapshot after several overlapping writes, applied one after another. Each ETag
 * holds the
 * Timestamp of its write, and a write that began after another had ended came later. A write that is older
 * than what was read since changes nothing. Where nothing tells the order, what was sent is in doubt.
 *
 * @param before - what was known before the first of them ended
 * @param applied - those that were applied
 * @param doubtful - those that may have been applied
 */
export function afterWrites(
  before: Snapshot | undefined,
  applied: readonly OverlappingWrite[],
  doubtful: readonly SentWrite[],
): Snapshot | undefined {
  const { ordered, unordered } = inOrder(applied)
  let snapshot = before
  for (const each of ordered) {
    if (!isOlder(each, snapshot)) snapshot = afterWrite(snapshot, each)
  }
  for (const { write } of unordered) snapshot = inDoubt(snapshot, write)
  // One of them gave the row its ETag, and nothing tells which.
  if (snapshot !== undefined && unordered.some(isStored)) {
    snapshot = { ...snapshot, etag: undefined, current: new Set() }
  }
  for (const write of doubtful) snapshot = inDoubt(snapshot, write)
  return snapshot
}

interface Order {
  readonly ordered: readonly OverlappingWrite[]
  readonly unordered: readonly OverlappingWrite[]
}

/**
 * A delete whose place is unknown leaves the order of the others alone; any other write does not.
 */
function inOrder(applied: readonly OverlappingWrite[]): Order {
  const stored = applied.filter(isStored)
  const isKnown = stored.every((each, index) =>
    stored.slice(index + 1).every((other) => compare(each, other) !== undefined),
  )
  if (!isKnown) return { ordered: [], unordered: applied }
  const ordered = stored.toSorted((one, other) => compare(one, other) ?? 0)
  const unordered: OverlappingWrite[] = []
  for (const each of applied) {
    if (isStored(each)) continue
    const isPlaced = stored.every((other) => compare(each, other) !== undefined)
    if (!isPlaced) unordered.push(each)
    else {
      const next = ordered.findIndex((other) => isStored(other) && compare(each, other) === -1)
      ordered.splice(next === -1 ? ordered.length : next, 0, each)
    }
  }
  return { ordered, unordered }
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

/** Whether the row was read, or written, after a write that ended only now. */
function isOlder({ etag }: AppliedWrite, snapshot: Snapshot | undefined): boolean {
  if (snapshot === undefined || etag === snapshot.etag) return false
  const [written, known] = [ticksIn(etag), ticksIn(snapshot.etag)]
  return written !== undefined && known !== undefined && written < known
}

function ticksIn(etag: string | undefined): bigint | undefined {
  const timestamp = etag === undefined ? undefined : timestampOfEtag(etag)
  return timestamp && ticksOf(timestamp)
}
