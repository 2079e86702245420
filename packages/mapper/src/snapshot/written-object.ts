import type { EntityKey } from '@rowkey/odata'
import type { EntityShape } from '../codec/entity-shape.ts'
import type { MemberChange } from '../codec/row-codec.ts'
import { objectField } from './object-field.ts'
import {
  inDoubt,
  isOfRow,
  isOfTable,
  keepSnapshot,
  type RowOrigin,
  type SentWrite,
  type Snapshot,
  snapshotOf,
} from './snapshot.ts'
import { Turn } from './turns.ts'

/** One write of one object to one row. */
export interface WrittenObject extends SentWrite {
  /** The object. */
  readonly entity: object
  /** The key of the row. */
  readonly key: EntityKey
  /** How often the object had been reloaded when the write was made: {@link reloadsOf}. */
  readonly reloads: number
  /** What the object knew of the row when the write was made. */
  readonly known: Snapshot | undefined
  /** What the object shows once the write is applied. */
  readonly changes?: readonly MemberChange[] | undefined
  /** Where the object shows its ETag. */
  readonly shape: Pick<EntityShape<object>, 'showVersion'>
  /** How it ended. */
  readonly outcome: WriteOutcome
}

/** How a write of an object ended. */
export interface WriteOutcome {
  /** The snapshot after a write that was applied or is in doubt; absent before, and for a write that was not applied. */
  after?: { readonly snapshot: Snapshot | undefined }
}

/** The turn of the writes of one object that are sent together: one, or those of a batch. */
export type ObjectTurn = Turn<object, readonly WrittenObject[]>

const lastTurns = objectField<ObjectTurn>()

/** How often objects were reloaded; most never are. */
const reloadsField = objectField<number>()

/** Whether a write of an object is pending. */
export function isBeingWritten(entity: object): boolean {
  return lastTurns.read(entity) !== undefined
}

/** Takes the turn of a write after the earlier writes of its object. */
export function takeTurn(write: WrittenObject): ObjectTurn {
  return new Turn(lastTurns, write.entity, [write])
}

/** Takes the turns of writes that are sent together, after the earlier writes of their objects. */
export function takeTurns(writes: readonly WrittenObject[]): readonly ObjectTurn[] {
  const byObject = new Map<object, WrittenObject[]>()
  for (const write of writes) {
    const others = byObject.get(write.entity)
    if (others === undefined) byObject.set(write.entity, [write])
    else others.push(write)
  }
  return Array.from(byObject, ([object, ofObject]) => new Turn(lastTurns, object, ofObject))
}

/** Returns the writes of an object that are pending, the first one first. */
function pendingWrites(entity: object): readonly WrittenObject[] {
  return lastTurns.read(entity)?.pending().flat() ?? []
}

/** Returns how often an object was reloaded. A write that was made before a reload does not send what the object shows now. */
export function reloadsOf(entity: object): number {
  return reloadsField.read(entity) ?? 0
}

/** Whether the object was read again after a write of it was made. */
export function isUnseen({ reloads, entity }: WrittenObject): boolean {
  return reloads !== reloadsOf(entity)
}

/**
 * Returns the last pending write of an object to a row, if the object shows what it sends.
 *
 * @param entity - the object
 * @param origin - the table
 * @param key - the key of the row
 */
export function pendingWrite(
  entity: object,
  origin: RowOrigin,
  key: EntityKey,
): WrittenObject | undefined {
  const write = pendingWrites(entity).findLast((each) => isTo(each, origin, key))
  return write && isUnseen(write) ? undefined : write
}

/** Whether a write is to this row. */
function isTo(
  write: WrittenObject,
  origin: RowOrigin,
  { partitionKey, rowKey }: EntityKey,
): boolean {
  const { key } = write
  return isOfTable(write, origin) && key.partitionKey === partitionKey && key.rowKey === rowKey
}

/** Returns the snapshot that an object has of the row of a write, before the write. */
export function snapshotBefore(write: WrittenObject): Snapshot | undefined {
  const { entity, origin, key } = write
  const known = isUnseen(write) ? write.known : snapshotOf(entity)
  return known && isOfRow(known, origin, key) ? known : undefined
}

/** Returns the snapshot that an object has of the row of a write, after the write. */
export function snapshotAfter(write: WrittenObject): Snapshot | undefined {
  const { after } = write.outcome
  return after === undefined ? snapshotBefore(write) : after.snapshot
}

/**
 * Returns the snapshot that an object has of one row while writes of it may be pending. The properties that these writes send are
 * in doubt.
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
  for (const write of pendingWrites(entity)) {
    if (isTo(write, origin, key)) snapshot = inDoubt(snapshot, write) ?? snapshot
  }
  return snapshot
}

/** Attaches the snapshot of what was just read into an object. The writes of it that are pending do not send what it shows now. */
export function keepReloaded(entity: object, snapshot: Snapshot): void {
  keepSnapshot(entity, snapshot)
  reloadsField.keep(entity, reloadsOf(entity) + 1)
}
