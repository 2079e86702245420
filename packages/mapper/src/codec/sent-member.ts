import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'
import { convertedValue } from './converted-value.ts'
import type { LoadedState } from './loaded-state.ts'
import { keyOfRaw, readStored } from './read-column.ts'
import type { StoredValue } from './widen.ts'
import { wireMembers } from './wire-members.ts'
import { writeChange, writeColumn, writeDoubtful } from './write-column.ts'

/** An entity that is about to be sent. */
export interface SentEntity {
  /** Its members by their names in the class. */
  readonly members: Readonly<Record<string, unknown>>
  /** Its key. */
  readonly key: EntityKey
  /** What is stored, as far as it is known. */
  readonly raw: RawEntity | undefined
}

/** One column as further members of the JSON of a whole entity; empty when there is no value. */
export function wholeMember(column: ColumnCodec, entity: SentEntity): string {
  const stored = entity.raw && readStored(column, entity.raw)
  const member = writeColumn(column, valueToStore(column, entity, stored), stored)
  return wireMembers(column, member, entity.key)
}

/**
 * As {@link wholeMember}, of an entity of which only a part was read: what its class gave to the rest
 * must not take the place of what is stored.
 */
export function partMember(
  column: ColumnCodec,
  entity: SentEntity,
  { defaults }: LoadedState,
): string {
  if (column.computed) return ''
  const stored = entity.raw && readStored(column, entity.raw)
  const member = writeColumn(column, valueToStore(column, entity, stored), stored)
  const isUnread = stored === undefined && member === defaults?.get(column.name)
  return isUnread ? '' : wireMembers(column, member, entity.key)
}

/** One column as further members of the JSON of a merge; empty when it is as it was read. */
export function changedMember(
  column: ColumnCodec,
  entity: SentEntity,
  { doubtful, defaults }: LoadedState,
): string {
  const stored = entity.raw && readStored(column, entity.raw)
  const write = doubtful?.has(column.name) ? writeDoubtful : writeChange
  const value = valueToStore(column, entity, stored)
  return wireMembers(column, write(column, value, stored, defaults?.get(column.name)), entity.key)
}

/**
 * The member of a column that is not stored, for what it holds all the same: as a merge would write it,
 * in the clear.
 */
export function initialMember(column: ColumnCodec, value: unknown, raw: RawEntity): string {
  const place = { stored: undefined, key: keyOfRaw(raw) }
  return writeColumn(column, convertedValue(column, value, place), undefined)
}

function valueToStore(
  column: ColumnCodec,
  { members, key }: SentEntity,
  stored: StoredValue | undefined,
): unknown {
  const value = members[column.property]
  return column.conversion === undefined ? value : convertedValue(column, value, { stored, key })
}
