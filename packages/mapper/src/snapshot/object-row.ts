import { compareKeys, type EntityKey, type InputError, type RawEntity } from '@rowkey/odata'
import {
  type Changes,
  type Choose,
  hasValue,
  type MemberChange,
  type RowCodec,
  type WriteTimes,
  type Written,
  type WrittenProperty,
} from '../codec/row-codec.ts'
import { cannotRemove, UNKNOWN_OUTCOME } from '../errors/compose-errors.ts'
import type { StoredValue } from '../member/stored-member.ts'
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
  const { entity, row, initial, foreign, migrated, later } = read
  const snapshot = { origin, row, etag: read.etag, partial: isPart, initial }
  const isRare = foreign !== undefined || migrated !== undefined
  keepSnapshot(entity, isRare ? { ...snapshot, foreign, migrated, later } : snapshot)
  return entity
}

/** Writes the whole row of an object, with the stored properties that its model does not declare. */
export function writeRow<Entity extends object>(
  codec: RowCodec<Entity>,
  entity: Entity,
  times?: WriteTimes,
): Written {
  return codec.write(entity, { isRow: true, from: snapshotOf(entity), times })
}

/**
 * Writes what an object shows, as an upsert that merges sends it: without the defaults of a schema that a read shows, and those
 * that a projection shows for properties that it did not read.
 *
 * @param snapshot - the object's snapshot of the row
 */
export function writeShown<Entity extends object>(
  codec: RowCodec<Entity>,
  entity: Entity,
  snapshot: Snapshot | undefined,
  times?: WriteTimes,
): Written {
  const from = snapshotOf(entity)
  const { initial } = snapshot ?? {}
  const choose: Choose = ({ name, hasDefault }, change, stored) => {
    if (change === undefined || stored !== undefined) return change !== undefined
    return !(snapshot?.partial || hasDefault) || change !== initial?.get(name)
  }
  return codec.write(entity, { isRow: false, from, choose, times })
}

/**
 * Writes the difference between an object and its row: the properties that changed since the row was known, and those in
 * doubt.
 *
 * @param snapshot - the object's snapshot of the row; without it every property is written
 * @returns `undefined` when there is nothing to send
 * @throws `InputError` (`InvalidPropertyValue`) when a property that may be stored has no value
 */
export function writeChanges<Entity extends object>(
  codec: RowCodec<Entity>,
  entity: Entity,
  snapshot: Snapshot | undefined,
  times?: WriteTimes,
): Changes | undefined {
  const choose = snapshot === undefined ? hasValue : changedSince(snapshot)
  return codec.writeChanges(entity, snapshot ?? snapshotOf(entity), choose, times)
}

/** Returns the choice of the properties that a merge sends. */
function changedSince({ doubtful, initial }: Snapshot): Choose {
  return (property, change, stored) => {
    const isDoubtful = doubtful?.has(property.name) === true
    if (change === undefined) {
      if (stored !== undefined || isDoubtful) throw noValue(property, stored, isDoubtful)
      return false
    }
    if (stored === undefined) return change !== initial?.get(property.name)
    return change !== '' || isDoubtful
  }
}

const ABSENCE = { problem: 'has no value now', fix: 'give it a value' }

/** Makes the error of a merge that would remove a property. */
function noValue(
  { name, label, type, absence = ABSENCE }: WrittenProperty,
  stored: StoredValue | undefined,
  isDoubtful: boolean,
): InputError {
  const [state, fix] = isDoubtful
    ? [`may be stored, because ${UNKNOWN_OUTCOME}`, 'Use replace, or reload the entity,']
    : ['is stored', 'Use replace or modify,']
  const place = label === name ? `'${label}'` : label
  const problem = `${place} ${state}, but ${absence.problem}`
  const details = { property: label, type: stored?.type ?? type }
  return cannotRemove(problem, `${fix} or ${absence.fix}.`, details)
}

/** Whether an object has no value where its row has one: a merge cannot remove that. */
export function lacksStored<Entity extends object>(
  codec: RowCodec<Entity>,
  entity: Entity,
  snapshot: Snapshot,
): boolean {
  if (!isComplete(snapshot)) return false
  let isLacking = false
  codec.writeChanges(entity, snapshot, (_, change, stored) => {
    if (change === undefined && stored !== undefined) isLacking = true
    return false
  })
  return isLacking
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
