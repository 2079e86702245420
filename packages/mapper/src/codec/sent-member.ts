import { type EntityKey, InputError, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { ColumnCodec } from './column-codec.ts'
import { convertedValue } from './converted-value.ts'
import { memberJson } from './member-json.ts'
import { readStored } from './read-column.ts'
import type { StoredValue } from './widen.ts'
import { wireMembers } from './wire-members.ts'
import { writeChange, writeColumn, writeDoubtful, writeIfChanged } from './write-column.ts'

/** An entity that is about to be sent. */
export interface SentEntity {
  /** Its members by their names in the class. */
  readonly members: Readonly<Record<string, unknown>>
  /** Its key. */
  readonly key: EntityKey
  /** The row that it was last read from or written to; `undefined` for a new object. */
  readonly raw: RawEntity | undefined
}

/** Writes one column as further members of the JSON of a whole entity; empty without a value. */
export function wholeMember(column: ColumnCodec, entity: SentEntity): string {
  const { raw, key } = entity
  const stored = raw && readStored(column, raw)
  const value = valueToStore(column, entity, stored)
  if (value === undefined || value === null) return ''
  const changed = writeIfChanged(column, value, stored)
  if (changed !== '' || stored === undefined || raw === undefined) {
    return wireMembers(column, changed, entity)
  }
  // An unchanged value is sent as it is stored, piece by piece; an encrypted one is bound to the key.
  if (column.chunks !== undefined && column.seal === undefined) return column.chunks.asStored(raw)
  const plain = memberJson(column.member, stored.type, stored.value)
  return column.seal === undefined ? plain : wireMembers(column, plain, { raw, key })
}

/**
 * Works as {@link wholeMember} for an entity that was read in part: defaults of its class must not
 * overwrite stored values.
 */
export function partMember(column: ColumnCodec, entity: SentEntity, { initial }: Snapshot): string {
  const stored = entity.raw && readStored(column, entity.raw)
  if (stored !== undefined) return wholeMember(column, entity)
  const member = writeColumn(column, valueToStore(column, entity, stored), stored)
  return member === initial?.get(column.name) ? '' : wireMembers(column, member, entity)
}

/** Writes one column as further members of the JSON of a merge; empty when it is unchanged. */
export function changedMember(
  column: ColumnCodec,
  entity: SentEntity,
  { doubtful, initial }: Snapshot,
): string {
  const stored = entity.raw && readStored(column, entity.raw)
  const write = doubtful?.has(column.name) ? writeDoubtful : writeChange
  const value = valueToStore(column, entity, stored)
  return wireMembers(column, write(column, value, stored, initial?.get(column.name)), entity)
}

/** Whether a column shows the stored value, or the default of its class for a missing one. */
export function isUntouched(column: ColumnCodec, entity: SentEntity, snapshot: Snapshot): boolean {
  const stored = entity.raw && readStored(column, entity.raw)
  const value = entity.members[column.property]
  if (value === undefined || value === null) return stored === undefined
  const text = writeIfChanged(column, valueToStore(column, entity, stored), stored)
  return text === '' || (stored === undefined && text === snapshot.initial?.get(column.name))
}

/** Writes the default value of a column that is not stored as a merge would, without encryption. */
export function initialMember(column: ColumnCodec, value: unknown, raw: RawEntity): string {
  const place = { stored: undefined, key: keyOfRaw(raw) }
  return writeColumn(column, convertedValue(column, value, place), undefined)
}

/**
 * Rejects a merge of a property that has no value now but may be stored, because the outcome of a write
 * is unknown.
 *
 * @throws `InputError` (`InvalidPropertyValue`), because a merge cannot remove a property
 */
export function checkNotRemoved(column: ColumnCodec, { members }: SentEntity): void {
  const value = members[column.property]
  if (value !== undefined && value !== null) return
  throw new InputError({
    code: 'InvalidPropertyValue',
    details: { property: column.label, type: column.type },
    message: `${column.label} has no value now, but may be stored, because the outcome of an earlier write is unknown: a merge cannot remove a property. Use replace, or reload the entity, or give it a value.`,
  })
}

function valueToStore(
  column: ColumnCodec,
  { members, key }: SentEntity,
  stored: StoredValue | undefined,
): unknown {
  const value = members[column.property]
  return column.conversion === undefined ? value : convertedValue(column, value, { stored, key })
}
