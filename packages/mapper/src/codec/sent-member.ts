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
  /** The row that it was last read from or written to; `undefined` when there is none. */
  readonly raw: RawEntity | undefined
}

/** Writes one column as further members of the JSON of a whole entity; empty when there is no value. */
export function wholeMember(column: ColumnCodec, entity: SentEntity): string {
  const { raw, key } = entity
  const stored = raw && readStored(column, raw)
  const value = valueToStore(column, entity, stored)
  if (value === undefined || value === null) return ''
  const changed = writeIfChanged(column, value, stored)
  if (changed !== '' || stored === undefined || raw === undefined) {
    return wireMembers(column, changed, entity)
  }
  // A value that was not touched is sent as it is stored, piece by piece; encryption binds it to the key.
  if (column.chunks !== undefined && column.seal === undefined) return column.chunks.asStored(raw)
  const plain = memberJson(column.member, stored.type, stored.value)
  return column.seal === undefined ? plain : wireMembers(column, plain, { raw, key })
}

/**
 * Works as {@link wholeMember} for an entity of which only a part was read: what its class gave to the rest
 * must not take the place of what is stored.
 */
export function partMember(column: ColumnCodec, entity: SentEntity, { initial }: Snapshot): string {
  const stored = entity.raw && readStored(column, entity.raw)
  if (stored !== undefined) return wholeMember(column, entity)
  const member = writeColumn(column, valueToStore(column, entity, stored), stored)
  return member === initial?.get(column.name) ? '' : wireMembers(column, member, entity)
}

/** Writes one column as further members of the JSON of a merge; empty when it was not touched. */
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

/** Whether a column shows what is stored, or what its class gave to a property that is not stored. */
export function isUntouched(column: ColumnCodec, entity: SentEntity, snapshot: Snapshot): boolean {
  const stored = entity.raw && readStored(column, entity.raw)
  const value = entity.members[column.property]
  if (value === undefined || value === null) return stored === undefined
  const text = writeIfChanged(column, valueToStore(column, entity, stored), stored)
  return text === '' || (stored === undefined && text === snapshot.initial?.get(column.name))
}

/**
 * Writes the member of a column that is not stored, for the value that its class gave it: as a merge would
 * write it, in the clear.
 */
export function initialMember(column: ColumnCodec, value: unknown, raw: RawEntity): string {
  const place = { stored: undefined, key: keyOfRaw(raw) }
  return writeColumn(column, convertedValue(column, value, place), undefined)
}

/**
 * Rejects a merge of a property that a lost write may have stored and that has no value now.
 *
 * @throws `InputError` (`InvalidPropertyValue`), since a merge cannot remove a property
 */
export function checkNotRemoved(column: ColumnCodec, { members }: SentEntity): void {
  const value = members[column.property]
  if (value !== undefined && value !== null) return
  throw new InputError({
    code: 'InvalidPropertyValue',
    details: { property: column.label, type: column.type },
    message: `${column.label} may be stored, since a write that sent it is in doubt, and has no value now: a merge cannot remove a property. Use replace, or reload the entity, or give it a value.`,
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
