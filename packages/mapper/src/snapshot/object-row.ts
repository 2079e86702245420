import { compareKeys, type EntityKey, type RawEntity } from '@rowkey/odata'
import { writeDifference } from '../codec/difference.ts'
import type {
  MemberChange,
  OriginalRow,
  Part,
  PartWrite,
  RowCodec,
  WriteTimes,
  Written,
} from '../codec/row-codec.ts'
import {
  isComplete,
  isEtagOfSnapshot,
  keepSnapshot,
  NOWHERE,
  type RowOrigin,
  type Snapshot,
  snapshotOf,
} from './snapshot.ts'

/** Where a row was read. */
export interface RowPlace {
  /** The ETag header of a single-entity response. */
  readonly etag?: string | undefined
  /** The table. */
  readonly origin?: RowOrigin | undefined
  /** Whether the response has only the selected properties. */
  readonly isPart?: boolean | undefined
}

/** Reads an entity, and attaches the snapshot of its row. */
export function readObject<Entity extends object>(
  codec: RowCodec<Entity>,
  raw: RawEntity,
  { etag, origin = NOWHERE, isPart = false }: RowPlace = {},
): Entity {
  const read = codec.read(raw, etag, isPart)
  const { entity, row, initial, foreign, other } = read
  const snapshot = { origin, row, etag: read.etag, partial: isPart, initial }
  const isRare = foreign !== undefined || other !== undefined
  keepSnapshot(entity, isRare ? { ...snapshot, foreign, other } : snapshot)
  return entity
}

/** Writes the whole row of an object, with the stored properties that its model does not declare. */
export function writeRow<Entity extends object>(
  codec: RowCodec<Entity>,
  entity: Entity,
  times?: WriteTimes,
): Written {
  return codec.write(entity, snapshotOf(entity), times)
}

/**
 * Writes the part of an object that a write sends: see `difference`.
 *
 * @param snapshot - the object's snapshot of the row; without it every value is sent
 * @returns no names when a merge has nothing to send
 * @throws `InputError` (`InvalidPropertyValue`) when a property that may be stored has no value
 */
export function writePart<Entity extends object>(
  codec: RowCodec<Entity>,
  entity: Entity,
  snapshot: Snapshot | undefined,
  write: PartWrite,
): Part {
  const from = snapshot ?? elsewhere(snapshotOf(entity))
  return writeDifference(codec.compare(entity, from, write), from, write.kind)
}

function elsewhere(snapshot: Snapshot | undefined): OriginalRow | undefined {
  return snapshot && { ...snapshot, isOther: true }
}

/** Whether an object has no value where its row has one: a merge cannot remove that. */
export function lacksStored<Entity extends object>(
  codec: RowCodec<Entity>,
  entity: Entity,
  snapshot: Snapshot,
): boolean {
  if (!isComplete(snapshot)) return false
  const { members } = codec.compare(entity, snapshot, { kind: 'merge' })
  return members.some(({ state, stored }) => state === 'missing' && stored !== undefined)
}

/**
 * Returns the key of an object: that of its row, while the object shows it, else the key that its members make.
 *
 * @throws `InputError` (`InvalidEntityKey`, `InvalidKeyPart`)
 */
export function keyOfObject<Entity extends object>(
  codec: Pick<RowCodec<Entity>, 'keyOf' | 'shownKeyOf'>,
  entity: Entity,
): EntityKey {
  const snapshot = codec.shownKeyOf && snapshotOf(entity)
  if (snapshot === undefined) return codec.keyOf(entity)
  const known = snapshot.row.key
  try {
    if (compareKeys(codec.shownKeyOf!(entity), known) === 0) return known
  } catch {
    // The schema may make a valid key of it.
  }
  return codec.keyOf(entity)
}

/** Shows what a schema made of the values of an object that was written, unless the caller has changed them since. */
export function showMade(entity: object, changes: readonly MemberChange[] = []): void {
  for (const { member, given, made } of changes) {
    // An object that cannot be assigned to, such as a frozen one, stays as it is.
    if (Object.is(Reflect.get(entity, member), given)) Reflect.set(entity, member, made)
  }
}

/**
 * Returns the ETag that an object carries for a row: in its own member, which the caller may change, or in its snapshot.
 *
 * @param member - the member that shows the ETag
 * @param snapshot - the object's snapshot of the row
 */
export function etagOf(
  entity: object,
  member: string | undefined,
  snapshot: Snapshot | undefined,
): string | undefined {
  if (member === undefined) return snapshot?.etag
  const carried: unknown = Reflect.get(entity, member)
  if (typeof carried !== 'string') return undefined
  const isOfAnotherRow = snapshot === undefined && isEtagOfSnapshot(entity, carried)
  return isOfAnotherRow ? undefined : carried
}
