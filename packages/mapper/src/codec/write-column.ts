import {
  type EdmType,
  type EntityKey,
  edmCodecs,
  InputError,
  inferEdmType,
  type KeyCheck,
  keyOfRaw,
  parseEntityObject,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'
import { cannotRemove, UNKNOWN_OUTCOME } from '../errors/compose-errors.ts'
import { describeKind } from '../errors/describe-kind.ts'
import { type KeyCodec, wholeKeyOf } from '../keys/key-codec.ts'
import { memberJson, type StoredValue, widen } from '../member/stored-member.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { type Members, membersIn } from '../model/members-in.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { type ColumnCodec, readStored } from './column-codec.ts'

/**
 * Writes one column of a whole entity as a further member of its JSON object; empty without a value. A
 * value that is unchanged since it was read keeps its stored type.
 */
export function writeColumn(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
): string {
  if (value === undefined || value === null) return ''
  const changed = writeIfChanged(column, value, stored)
  if (changed !== '' || stored === undefined) return changed
  return memberJson(column.member, stored.type, stored.value)
}

/**
 * Writes one column of a merge as a further member of its JSON object; empty when it is unchanged.
 *
 * @param initial - the member as it was after reading, when the property was not stored
 * @throws `InputError` (`InvalidPropertyValue`) when a stored property was set to `undefined` or `null`
 */
export function writeChange(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
  initial: string | undefined,
): string {
  if (value !== undefined && value !== null) {
    const text = writeIfChanged(column, value, stored)
    return stored === undefined && text === initial ? '' : text
  }
  if (stored === undefined) return ''
  const details = { property: column.label, type: stored.type }
  const problem = `${column.label} is stored but is now ${value}`
  throw cannotRemove(problem, 'Use replace or modify, or give it a value.', details)
}

/** Writes one column; empty when it shows exactly the stored value. */
function writeIfChanged(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
): string {
  const type = column.type ?? typeByValue(column, value, stored?.type)
  const before = stored && widen(stored, type)
  // Stored text may be invalid in a request, such as half a surrogate pair.
  if (before !== undefined && typeof value === 'string' && value === before) return ''
  const accepted = edmCodecs[type].accept(value, column.label)
  const text = memberJson(column.member, type, accepted)
  // Texts are compared, not values: NaN equals itself there, 0 differs from -0, and bytes need no
  // loop.
  return before !== undefined && memberJson(column.member, type, before) === text ? '' : text
}

/**
 * Returns the type of a column without a declared type: the type of the value. A number that is stored as
 * a Double stays a Double, and text that is stored as a Guid stays a Guid.
 */
function typeByValue(column: ColumnCodec, value: unknown, stored: EdmType | undefined): EdmType {
  if (stored === 'Double' && typeof value === 'number') return stored
  if (stored === 'Guid' && typeof value === 'string') return stored
  const type = inferEdmType(value)
  if (type !== undefined) return type
  throw new InputError({
    code: 'InvalidPropertyValue',
    details: { property: column.label },
    message: `${column.label}: No Edm type stores ${describeKind(value)}. ${storableForm(value)}, or put @Ignore() on it to leave it out.`,
  })
}

/** Names what stores a value that no Edm type stores. */
function storableForm(value: unknown): string {
  return typeof value === 'object'
    ? 'Put @Json() on it to store it as JSON text, @Convert() to store it as another value'
    : 'Put @Convert() on it to store it as another value'
}

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
  const { raw } = entity
  const stored = storedOf(column, entity)
  const value = valueToStore(column, entity, stored)
  if (value === undefined || value === null) return ''
  const changed = writeIfChanged(column, value, stored)
  if (changed !== '' || stored === undefined || raw === undefined) {
    return wireMembers(column, changed, entity)
  }
  // An unchanged value is sent as it is stored, piece by piece; an encrypted one is bound to the key.
  if (column.chunks !== undefined && column.seal === undefined) return column.chunks.asStored(raw)
  return wireMembers(column, memberJson(column.member, stored.type, stored.value), entity)
}

/**
 * Works as {@link wholeMember} for an entity that was read in part: defaults of its class must not
 * overwrite stored values.
 */
export function partMember(column: ColumnCodec, entity: SentEntity, { initial }: Snapshot): string {
  const stored = storedOf(column, entity)
  if (stored !== undefined) return wholeMember(column, entity)
  const member = writeColumn(column, valueToStore(column, entity, stored), stored)
  return member === initial?.get(column.name) ? '' : wireMembers(column, member, entity)
}

/**
 * Writes one column as further members of the JSON of a merge; empty when it is unchanged. An unchanged
 * value in doubt is written, too, with its stored type.
 *
 * @throws `InputError` (`InvalidPropertyValue`) when a property that may be stored has no value
 */
export function changedMember(
  column: ColumnCodec,
  entity: SentEntity,
  { doubtful, initial }: Snapshot,
): string {
  const isDoubtful = doubtful?.has(column.name)
  if (isDoubtful) checkNotRemoved(column, entity)
  const stored = storedOf(column, entity)
  const value = valueToStore(column, entity, stored)
  const member =
    isDoubtful && stored
      ? writeColumn(column, value, stored)
      : writeChange(column, value, stored, initial?.get(column.name))
  return wireMembers(column, member, entity)
}

/** Whether a column shows the stored value, or the default of its class for a missing one. */
export function isUntouched(column: ColumnCodec, entity: SentEntity, snapshot: Snapshot): boolean {
  const stored = storedOf(column, entity)
  const value = entity.members[column.property]
  if (value === undefined || value === null) return stored === undefined
  const text = writeIfChanged(column, valueToStore(column, entity, stored), stored)
  return text === '' || (stored === undefined && text === snapshot.initial?.get(column.name))
}

/** Writes the default value of a column that is not stored as a merge would, without encryption. */
export function initialMember(column: ColumnCodec, value: unknown, raw: RawEntity): string {
  return writeColumn(column, convertedValue(column, value, keyOfRaw(raw)), undefined)
}

/**
 * Rejects a merge of a property that has no value now but may be stored, because the outcome of a write
 * is unknown.
 */
function checkNotRemoved(column: ColumnCodec, { members }: SentEntity): void {
  const { label: property, type } = column
  const value = members[column.property]
  if (value !== undefined && value !== null) return
  throw cannotRemove(
    `${property} has no value now, but may be stored, because ${UNKNOWN_OUTCOME}`,
    'Use replace, or reload the entity, or give it a value.',
    { property, type },
  )
}

function storedOf(column: ColumnCodec, { raw }: SentEntity): StoredValue | undefined {
  return raw && readStored(column, raw)
}

function valueToStore(
  column: ColumnCodec,
  { members, key }: SentEntity,
  stored: StoredValue | undefined,
): unknown {
  return convertedValue(column, members[column.property], key, stored)
}

/**
 * Encrypts and cuts a member of a JSON object where its column requires it.
 *
 * @param column - the column
 * @param plain - the unencrypted member, or an empty text
 * @param entity - the key, which encrypted values are bound to, and the row as far as it is known
 */
export function wireMembers(
  column: ColumnCodec,
  plain: string,
  { key, raw }: Pick<SentEntity, 'key' | 'raw'>,
): string {
  const { seal, chunks } = column
  if (plain === '' || (seal === undefined && chunks === undefined)) return plain
  const typed = readProperty(parseEntityObject(`{${plain.slice(1)}}`), column.name) // after its comma
  if (typed === undefined) return ''
  const stored = seal ? ({ type: 'Binary', value: seal.close(typed, key) } as const) : typed
  return chunks ? chunks.write(stored, raw) : memberJson(column.member, stored.type, stored.value)
}

/**
 * Converts a member's value to the value to store, with the converter of its column. While the member is
 * unchanged, the stored value stays as it is.
 *
 * @param value - the value of the member
 * @param key - the entity's key
 * @param stored - the value that is stored there; `undefined` when it is unknown
 * @throws InputError (`ConversionFailed`) when the converter rejects the value
 */
export function convertedValue(
  { conversion, computed }: ColumnCodec,
  value: unknown,
  key: EntityKey,
  stored?: StoredValue,
): unknown {
  if (conversion === undefined) return value
  // A computed member is never read, so its stored value need not be readable.
  const before = stored === undefined || computed ? undefined : widen(stored, conversion.type)
  if (value === undefined || value === null) {
    // A stored value may read as null, such as the JSON text `null`; it is not removed then.
    const isUnchanged = before !== undefined && conversion.fromStored(before, key) === value
    return isUnchanged ? before : value
  }
  if (before === undefined) return conversion.toStored(value, key)
  return conversion.update(before, value, key)
}

/** Both halves of a model's key: converts between an entity's members and the stored texts. */
export class KeyHalves {
  readonly #partitionKey: KeyHalf
  readonly #rowKey: KeyHalf
  readonly #check: KeyCheck

  /**
   * @param model - the model of the entities
   * @param check - rejects invalid keys
   */
  constructor(model: EntityModel<object>, check: KeyCheck) {
    this.#partitionKey = new KeyHalf(model, model.partitionKey)
    this.#rowKey = new KeyHalf(model, model.rowKey)
    this.#check = check
  }

  /**
   * Returns the key of an entity, checked.
   *
   * @throws `InputError` (`InvalidEntityKey`) that names the member
   */
  write(members: Readonly<Members>): EntityKey {
    const partitionKey = this.#partitionKey.write(members)
    // The check ensures that both are strings.
    const key = { partitionKey, rowKey: this.#rowKey.write(members) } as EntityKey
    try {
      this.#check(key)
    } catch (error) {
      if (!(error instanceof InputError && error.code === 'InvalidEntityKey')) throw error
      const half = error.details.property === 'RowKey' ? this.#rowKey : this.#partitionKey
      throw half.nameMember(error)
    }
    return key
  }

  /** Assigns the values in the stored key of an entity. */
  read(members: Members, { PartitionKey, RowKey }: RawEntity): void {
    this.#partitionKey.read(members, PartitionKey)
    this.#rowKey.read(members, RowKey)
  }
}

/** Writes the JSON of an entity up to the end of its key, which every body starts with. */
export function openWithKey({ partitionKey, rowKey }: EntityKey): string {
  const { writeJson } = edmCodecs.String
  return `{"PartitionKey":${writeJson(partitionKey)},"RowKey":${writeJson(rowKey)}`
}

/** One half of a model's key: converts between an entity's members and the stored text. */
class KeyHalf {
  readonly #title: string
  readonly #codec: KeyCodec
  /** The member that is the whole key, if there is one; then nothing is formatted. */
  readonly #whole: string | undefined
  /** The members that can be assigned. */
  readonly #assigned: readonly string[]

  constructor({ title, computed }: EntityModel<object>, codec: KeyCodec) {
    this.#title = title
    this.#codec = codec
    this.#whole = wholeKeyOf(codec)
    this.#assigned = codec.readable.filter((property) => !computed.includes(property))
  }

  /** Returns the key of an entity, unchecked. */
  write(members: Readonly<Record<string, unknown>>): unknown {
    if (this.#whole !== undefined) return members[this.#whole]
    try {
      return this.#codec.print(members)
    } catch (cause) {
      if (!(cause instanceof InputError) || cause.code !== 'InvalidKeyPart') throw cause
      throw prefixed(`${this.#title}.`, cause)
    }
  }

  /** Assigns the values in a stored key. */
  read(members: Record<string, unknown>, stored: unknown): void {
    if (typeof stored !== 'string' || this.#assigned.length === 0) return
    if (this.#whole !== undefined) {
      members[this.#whole] = stored
      return
    }
    const values = membersIn(this.#codec.parse(stored))
    for (const property of this.#assigned) members[property] = values[property]
  }

  /** Adds the class and the member to the error of an invalid key. */
  nameMember(error: InputError): InputError {
    const place = this.#whole === undefined ? this.#title : `${this.#title}.${this.#whole}`
    return prefixed(`${place}: `, error)
  }
}

/** Makes an error with a place before the message of another. */
function prefixed(place: string, error: InputError): InputError {
  const { code, message, details } = error
  return new InputError({ code, message: place + message, details, cause: error })
}
