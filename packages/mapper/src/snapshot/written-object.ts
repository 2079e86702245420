import type { EntityKey } from '@rowkey/odata'
import type { EntityShape } from '../codec/entity-shape.ts'
import type { MemberChange } from '../codec/row-codec.ts'
import { objectField } from './object-field.ts'
import {
  afterWrite,
  inDoubt,
  isOfRow,
  isOfTable,
  keepSnapshot,
  type RowOrigin,
  type SentRow,
  type Snapshot,
  snapshotOf,
} from './snapshot.ts'
import { Turn } from './turns.ts'

/** An object that a write sends to a row, and what its next snapshot depends on. */
export interface WrittenObject extends SentRow {
  /** The object. */
  readonly entity: object
  /** The key of the row. */
  readonly key: EntityKey
  /** How often the object had been reloaded when the write was made: {@link reloadsOf}. */
  readonly reloads: number
  /** What the object knew of the row when the write was made, for the last time in its turn. */
  known: Snapshot | undefined
  /** What the object shows once the write is applied. */
  readonly changes?: readonly MemberChange[] | undefined
  /** Where the object shows its ETag. */
  readonly shape: Pick<EntityShape<object>, 'showVersion'>
  /** The snapshot `after` a write that was applied or is in doubt; empty before, and for a write that was not applied. */
  readonly outcome: { after?: { readonly snapshot: Snapshot | undefined } }
}

/** The turn of the writes of one object that are sent together: one, or those of a batch. */
export type ObjectTurn = Turn<object, WrittenObject[]>

const lastTurns = objectField<ObjectTurn>()

/** How often objects were reloaded; most never are. */
const reloadsField = objectField<number>()

/** Takes the turn of an object that is written, after its earlier writes. */
export function takeTurn(object: WrittenObject): ObjectTurn {
  return new Turn(lastTurns, object.entity, [object])
}

/** Takes the turns of objects that are written together. An object that is written twice has one turn. */
export function takeTurns(written: readonly WrittenObject[]): readonly ObjectTurn[] {
  const turns: ObjectTurn[] = []
  for (const object of written) {
    const last = lastTurns.read(object.entity)
    if (last !== undefined && turns.includes(last)) last.work.push(object)
    else turns.push(takeTurn(object))
  }
  return turns
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

/**
 * Records a write that the service applied, and updates the snapshot of its object.
 *
 * @param write - the write
 * @param etag - the ETag that it gave the row
 * @returns the object's snapshot after the write
 */
export function afterApplied(write: WrittenObject, etag: string | undefined): Snapshot | undefined {
  const isReplaced = write.whole && write.row !== undefined
  const snapshot = afterWrite(isReplaced ? undefined : snapshotBefore(write), write, etag)
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
