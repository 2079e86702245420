import { type EntityKey, ticksOf, timestampOfEtag } from '@rowkey/odata'
import {
  type AppliedWrite,
  afterWrite,
  inDoubt,
  isOfRow,
  keepSnapshot,
  type RowOrigin,
  type SentWrite,
  type Snapshot,
  snapshotOf,
} from './snapshot.ts'

/** One write of one object to one row. */
export interface ObjectWrite extends SentWrite {
  /** The object. */
  readonly entity: object
  /** The key of the row. */
  readonly key: EntityKey
}

/** Writes of one object that overlap: each began before another had ended. */
interface Overlap {
  /** What the object knew when the second of them began, or what it has read since. */
  base: Snapshot | undefined
  /** Those that have not ended. */
  readonly open: Set<WriteInFlight>
  /** Those that were applied, in the order of their responses. */
  applied: (OverlappingWrite & { readonly write: ObjectWrite })[]
  /** Those that may have been applied. */
  doubtful: ObjectWrite[]
  /** Counts the writes that began or ended. */
  events: number
}

/** The first of the writes in flight of each object; entries go when the last of them ends. */
const firstOf = new Map<object, WriteInFlight>()

/** One write from its beginning to its end, and what the object knows of the row afterwards. */
export class WriteInFlight {
  readonly #write: ObjectWrite
  readonly #known: Snapshot | undefined
  /** `undefined` while the write is alone, as most are. */
  #overlap: Overlap | undefined
  /** When it began, in the events of the overlap. */
  #began = 0

  /** Begins a write; tell it how it ends. */
  constructor(write: ObjectWrite) {
    this.#write = write
    this.#known = snapshotOf(write.entity)
    const first = firstOf.get(write.entity)
    if (first === undefined) firstOf.set(write.entity, this)
    else {
      this.#overlap = first.#overlappedBy(this)
      this.#began = ++this.#overlap.events
    }
  }

  /**
   * The service applied it.
   *
   * @param etag - the ETag that it gave the row
   * @returns what the object knows of the row now
   */
  applied(etag: string | undefined): Snapshot | undefined {
    const applied = { write: this.#write, etag }
    const known = snapshotOf(this.#write.entity)
    // Most writes are alone, and nothing is read into their object meanwhile.
    if (this.#overlap !== undefined || known !== this.#known) {
      const ended = this.#overlap === undefined ? 0 : ++this.#overlap.events
      return this.#end({ applied: [{ ...applied, began: this.#began, ended }], doubtful: [] })
    }
    const { entity, origin, key, body, whole } = this.#write
    firstOf.delete(entity)
    const isReplaced = whole && body !== undefined
    const before = !isReplaced && known && isOfRow(known, origin, key) ? known : undefined
    const snapshot = afterWrite(before, applied)
    if (snapshot !== undefined) keepSnapshot(entity, snapshot)
    return snapshot
  }

  /** The service may have applied it. */
  uncertain(): void {
    this.#end({ applied: [], doubtful: [this.#write] })
  }

  /** The service did not apply it. */
  refused(): void {
    this.#end({ applied: [], doubtful: [] })
  }

  /** Returns the writes in flight of the object that this one was the first of. */
  get open(): readonly ObjectWrite[] {
    return Array.from(this.#overlap?.open ?? [this], (each) => each.#write)
  }

  /** Lets what was read while writes were in flight be what they are applied to. */
  rebase(snapshot: Snapshot): void {
    if (this.#overlap === undefined) return
    this.#overlap.base = snapshot
    this.#overlap.applied = []
    this.#overlap.doubtful = []
  }

  #overlappedBy(write: WriteInFlight): Overlap {
    const base = snapshotOf(this.#write.entity)
    this.#overlap ??= { base, open: new Set([this]), applied: [], doubtful: [], events: 0 }
    this.#overlap.open.add(write)
    return this.#overlap
  }

  #end(ended: Pick<Overlap, 'applied' | 'doubtful'>): Snapshot | undefined {
    const { entity, origin, key } = this.#write
    const overlap = this.#overlap
    overlap?.open.delete(this)
    if (overlap === undefined || overlap.open.size === 0) firstOf.delete(entity)
    overlap?.applied.push(...ended.applied)
    overlap?.doubtful.push(...ended.doubtful)
    if (ended.applied.length + ended.doubtful.length === 0) return undefined
    const isSameRow = (write: ObjectWrite) => isSame(write, this.#write)
    const known = overlap === undefined ? snapshotOf(entity) : overlap.base
    const before = known && isOfRow(known, origin, key) ? known : undefined
    const all = overlap ?? ended
    const applied = all.applied.filter(({ write }) => isSameRow(write))
    const snapshot = afterWrites(before, applied, all.doubtful.filter(isSameRow))
    if (snapshot !== undefined) keepSnapshot(entity, snapshot)
    return snapshot
  }
}

/**
 * Returns what an object knows of one row while writes of it may be in flight: what they send is in doubt.
 *
 * @param entity - the object
 * @param origin - the table
 * @param key - the key of the row
 */
export function pendingSnapshot(
  entity: object,
  origin: RowOrigin,
  key: EntityKey,
): Snapshot | undefined {
  let snapshot = snapshotOf(entity)
  if (snapshot === undefined || !isOfRow(snapshot, origin, key)) return undefined
  for (const write of firstOf.get(entity)?.open ?? []) {
    if (isOfRow(snapshot, write.origin, write.key)) snapshot = inDoubt(snapshot, write) ?? snapshot
  }
  return snapshot
}

/** Lets an object know what was just read into it, also for the writes of it that are in flight. */
export function keepReloaded(entity: object, snapshot: Snapshot): void {
  keepSnapshot(entity, snapshot)
  firstOf.get(entity)?.rebase(snapshot)
}

function isSame(one: ObjectWrite, other: ObjectWrite): boolean {
  return (
    one.origin.account === other.origin.account &&
    one.origin.table === other.origin.table &&
    one.key.partitionKey === other.key.partitionKey &&
    one.key.rowKey === other.key.rowKey
  )
}

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
