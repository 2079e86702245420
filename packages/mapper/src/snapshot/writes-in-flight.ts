import type { EntityKey } from '@rowkey/odata'
import type { MemberChange } from '../codec/row-codec.ts'
import { objectField } from './object-field.ts'
import {
  type AppliedWrite,
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
  /** How often the object had been reloaded when the write was made: {@link reloadsOf}. */
  readonly reloads: number
  /** What the object shows once the write is applied. */
  readonly changes?: readonly MemberChange[] | undefined
}

/** A write that the service applied while other writes of the same object were in flight. */
export interface OverlappingWrite extends AppliedWrite {
  /** When it was sent, counted in events: each write that begins or ends is one. */
  readonly began: number
  /** When its response came. */
  readonly ended: number
}

/** A write that the service may have applied while other writes of the same object were in flight. */
export interface DoubtfulWrite {
  readonly write: SentWrite
  /** When it ended, counted in events. */
  readonly ended: number
}

/** Writes of one object that overlap: each began before another had ended, or before the object was read again. */
export interface Overlap {
  /** What the object knew when the second of them began, or what it has read since. */
  base: Snapshot | undefined
  /** Those that have not ended. */
  readonly open: Set<WriteInFlight>
  /** Those that were applied, in the order of their responses. */
  applied: (OverlappingWrite & { readonly write: ObjectWrite })[]
  /** Those that may have been applied. */
  doubtful: (DoubtfulWrite & { readonly write: ObjectWrite })[]
  /** Counts the events. */
  events: number
}

/** The first of the writes in flight of an object, until the last of them ends. */
const firstField = objectField<WriteInFlight>()

/** How often objects were reloaded; most never are. */
const reloadsField = objectField<number>()

/** Returns how often an object was reloaded. A write that was made before a reload does not send what the object shows now. */
export function reloadsOf(entity: object): number {
  return reloadsField.read(entity) ?? 0
}

/**
 * One write from its beginning to its end. `afterApplied` and `afterUncertain` end it and update the
 * snapshot of its object. A write that the service did not apply just ends.
 */
export class WriteInFlight {
  /** What it writes. */
  readonly write: ObjectWrite
  /** When it began, in the events of the overlap. */
  readonly began: number
  /** `undefined` while the write is alone and nothing is read, as most often. */
  overlap: Overlap | undefined

  /** Begins a write; tell it how it ends. */
  constructor(write: ObjectWrite) {
    this.write = write
    const first = firstField.read(write.entity)
    if (first === undefined) firstField.keep(write.entity, this)
    else {
      this.overlap = first.#overlapping()
      this.overlap.open.add(this)
    }
    this.began = this.overlap === undefined ? 0 : ++this.overlap.events
  }

  /** Ends the write. */
  end(): void {
    this.overlap?.open.delete(this)
    if (this.overlap === undefined || this.overlap.open.size === 0)
      firstField.keep(this.write.entity, undefined)
  }

  /** Returns the writes in flight of the object that this one was the first of. */
  get open(): readonly ObjectWrite[] {
    return Array.from(this.overlap?.open ?? [this], ({ write }) => write)
  }

  /** Lets what was read while writes were in flight be what they are applied to. */
  rebase(snapshot: Snapshot): void {
    const overlap = this.#overlapping()
    overlap.base = snapshot
    overlap.applied = []
    overlap.doubtful = []
  }

  #overlapping(): Overlap {
    const base = snapshotOf(this.write.entity)
    this.overlap ??= { base, open: new Set([this]), applied: [], doubtful: [], events: 0 }
    return this.overlap
  }
}

/**
 * Returns the snapshot that an object has of one row while writes of it may be in flight. The properties
 * that these writes send are in doubt.
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
  for (const write of firstField.read(entity)?.open ?? []) {
    if (isOfRow(snapshot, write.origin, write.key)) snapshot = inDoubt(snapshot, write) ?? snapshot
  }
  return snapshot
}

/**
 * Attaches the snapshot of what was just read into an object, and updates the writes of it that are in
 * flight.
 */
export function keepReloaded(entity: object, snapshot: Snapshot): void {
  keepSnapshot(entity, snapshot)
  reloadsField.keep(entity, reloadsOf(entity) + 1)
  firstField.read(entity)?.rebase(snapshot)
}
