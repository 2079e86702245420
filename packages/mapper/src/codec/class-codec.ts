import {
  describeKind,
  type EntityKey,
  InputError,
  type KeyCheck,
  keyOfRaw,
  parseDateTime,
  type RawEntity,
  systemPropertyNames,
} from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { Row } from '../member/row.ts'
import { type StoredValue, undeclaredMembers } from '../member/stored-member.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { managedNames, mappedMembers } from '../model/marks-of.ts'
import { type Members, showInPlace } from '../model/members-in.ts'
import {
  type ColumnCodec,
  columnCodecs,
  readColumn,
  readStored,
  revealedRaw,
} from './column-codec.ts'
import { KeyHalves } from './key-halves.ts'
import type {
  Compared,
  EntityRow,
  Member,
  OriginalRow,
  PartWrite,
  RowCodec,
  Written,
} from './row-codec.ts'
import { changeOf, convertedValue, storedMembers, wireMembers } from './write-column.ts'

/** The codec of one mapped class, compiled before the first entity is read or written. */
export class ClassCodec<Entity extends object> implements RowCodec<Entity> {
  readonly #model: EntityModel<Entity>
  readonly #keys: KeyHalves
  readonly #columns: readonly ColumnCodec[]
  readonly #chunked: readonly ColumnCodec[]
  readonly #members: ReadonlySet<string>
  readonly #storedNames: ReadonlySet<string>
  readonly #etag: string | undefined
  readonly #timestamp: string | undefined

  /**
   * @param model - the model of the class
   * @param checkKey - rejects invalid keys
   */
  constructor(model: EntityModel<Entity>, checkKey: KeyCheck) {
    const { etag, timestamp, columns, ignored, computed } = model
    const assigned = (member: string | undefined) =>
      member !== undefined && computed.includes(member) ? undefined : member
    this.#model = model
    this.#keys = new KeyHalves(model, checkKey)
    this.#columns = columns.flatMap((column) => columnCodecs(model, column))
    this.#chunked = this.#columns.filter(({ chunks }) => chunks !== undefined)
    this.#members = new Set([...mappedMembers(model), ...ignored])
    const names = [...this.#columns.map(({ name }) => name), ...managedNames(model)]
    this.#storedNames = new Set([...systemPropertyNames, ...names])
    this.#etag = assigned(etag)
    this.#timestamp = assigned(timestamp)
  }

  keyOf(entity: Entity): EntityKey {
    return this.#keys.write(membersOf(this.#model, entity))
  }

  write(entity: Entity, from: OriginalRow | undefined): Written {
    const { key, members } = this.#writing(entity)
    const raw = from?.row.raw
    const place = { key, raw, isCopied: true }
    let text = ''
    for (const column of this.#columns) {
      if (isUnread(column, from)) continue
      const stored = raw && readStored(column, raw)
      const change = changeIn(column, members, key, stored)
      if (change !== undefined) text += storedText(column, change, stored, place)
    }
    const row = Row.of(key, text)
    return { row: raw === undefined ? row : row.with(this.#undeclared(raw, row)) }
  }

  compare(entity: Entity, from: OriginalRow | undefined, { kind }: PartWrite): Compared {
    const { key, members } = this.#writing(entity)
    const raw = from?.row.raw
    const compared: ColumnMember[] = []
    for (const column of this.#columns) {
      if (isUnread(column, from)) continue
      const stored = raw && readStored(column, raw)
      compared.push(memberOf(column, changeIn(column, members, key, stored), stored))
    }
    return {
      key,
      members: compared,
      write(chosen) {
        // A merge writes an unchanged value in pieces anew.
        const place = { key, raw, isCopied: kind === 'upsert' }
        const sent = compared.filter((member) => chosen.includes(member))
        const texts = sent.map(({ property, text = '', stored }) =>
          storedText(property, text, stored, place),
        )
        return {
          row: Row.of(key, texts.join('')),
          names: sent.map(({ property }) => property.name),
        }
      },
    }
  }

  read(raw: RawEntity, etag?: string, isPart = false): EntityRow<Entity> {
    const entity = this.#model.create()
    const members = membersOf(this.#model, entity)
    if (isPart) this.#clearUnread(members, raw)
    this.#keys.read(members, raw, isPart)
    // A series that was not selected has no values, and no array of them.
    const isRead = ({ slot, name }: ColumnCodec) => slot === undefined || Object.hasOwn(raw, name)
    const columns = isPart ? this.#columns.filter(isRead) : this.#columns
    const initial = assignColumns(columns, members, raw)
    const current = etagIn(raw, etag)
    if (this.#etag !== undefined && current !== undefined) members[this.#etag] = current
    const modified = this.#timestamp && timestampIn(raw)
    if (this.#timestamp !== undefined && modified) members[this.#timestamp] = modified
    return { entity, row: Row.read(raw), etag: current, initial }
  }

  reveal(raw: RawEntity): RawEntity {
    return revealedRaw(this.#columns, raw)
  }

  /** Returns the key and the members of an entity that has values only where its class declares them. */
  #writing(entity: Entity): { readonly key: EntityKey; readonly members: Members } {
    const members = membersOf(this.#model, entity)
    checkDeclared(this.#model, members, this.#members)
    return { key: this.#keys.write(members), members }
  }

  /**
   * Clears the properties that were not selected, because the default of a class is not the stored value. A caller can
   * then assign that default on purpose. Those in the key are assigned next.
   */
  #clearUnread(members: Members, raw: RawEntity): void {
    for (const column of this.#columns) {
      const { name, property, computed } = column
      const selected = computed ? readColumn(column, raw) : undefined
      if (selected !== undefined) showInPlace(members, property, selected)
      else if (!Object.hasOwn(raw, name)) {
        try {
          members[property] = undefined
        } catch {
          // A setter may refuse.
        }
      }
    }
  }

  /**
   * Returns the stored properties that the class does not declare. The chunks of a long value belong to
   * its column.
   *
   * @param written - the row with the others
   */
  #undeclared(raw: RawEntity, written: Row): string {
    if (this.#chunked.length === 0) return undeclaredMembers(raw, this.#storedNames)
    const pieces = this.#chunked.flatMap(({ chunks }) => chunks?.namesIn(raw) ?? [])
    return undeclaredMembers(raw, new Set([...this.#storedNames, ...pieces, ...written.names]))
  }
}

/** Whether a value is computed from members that were not read, and so is wrong. */
function isUnread({ computed }: ColumnCodec, from: OriginalRow | undefined): boolean {
  return computed && from?.partial === true
}

/** Returns the plain member of a column, as {@link changeOf} does. */
function changeIn(
  column: ColumnCodec,
  members: Members,
  key: EntityKey,
  stored: StoredValue | undefined,
): string | undefined {
  return changeOf(column, convertedValue(column, valueIn(column, members), key, stored), stored)
}

/** A member of a column. */
interface ColumnMember extends Member {
  readonly property: ColumnCodec
}

/** Returns the member of a column, beside the stored one. */
function memberOf(
  property: ColumnCodec,
  change: string | undefined,
  stored: StoredValue | undefined,
): ColumnMember {
  if (change === undefined) return { property, stored, state: 'missing', text: undefined }
  if (change === '') return { property, stored, state: 'same', text: undefined }
  return { property, stored, state: 'changed', text: change }
}

/** Writes the member of a column as it is stored. */
function storedText(
  column: ColumnCodec,
  change: string,
  stored: StoredValue | undefined,
  place: Parameters<typeof storedMembers>[2],
): string {
  if (change !== '' || stored === undefined) return wireMembers(column, change, place)
  return storedMembers(column, stored, place)
}

/** Returns the ETag of a row: its own, or that of the response. */
export function etagIn(raw: RawEntity, etag: string | undefined): string | undefined {
  const own = raw['odata.etag']
  return typeof own === 'string' ? own : etag
}

function timestampIn({ Timestamp }: RawEntity): Date | undefined {
  return typeof Timestamp === 'string' ? parseDateTime(Timestamp) : undefined
}

/**
 * Assigns the stored values. A member that is not stored keeps its initial value. Its JSON is recorded, so
 * that a merge does not store a value that the caller never set.
 *
 * @returns the JSON of these initial values by stored name; `undefined` without one
 */
export function assignColumns(
  columns: readonly ColumnCodec[],
  members: Members,
  raw: RawEntity,
): ReadonlyMap<string, string> | undefined {
  let defaults: Map<string, string> | undefined
  for (const column of columns) {
    if (column.computed) continue
    const value = readColumn(column, raw)
    if (column.slot !== undefined) {
      assignSlot(column, members, value)
      continue
    }
    if (value !== undefined) {
      members[column.property] = value
      continue
    }
    const initial = members[column.property]
    if (initial === undefined || initial === null) continue
    const member = storableInitial(column, initial, raw)
    if (member === undefined) continue
    defaults ??= new Map()
    defaults.set(column.name, member)
  }
  return defaults
}

/** Returns the value of a column: a member, or one place of an array. */
function valueIn(column: ColumnCodec, members: Members): unknown {
  const value = members[column.property]
  if (column.slot === undefined || value === undefined || value === null) return value
  const { at, of } = column.slot
  if (Array.isArray(value) && value.length <= of) return value[at]
  const got = Array.isArray(value) ? `an array of ${value.length}` : describeKind(value)
  throw new InputError({
    code: 'InvalidPropertyValue',
    details: { property: column.label },
    message: `${column.label}: a series has ${of} values; got ${got}. Give an array of at most ${of} values.`,
  })
}

/** Sets one value of a series, which has a place for each. */
function assignSlot({ property, slot }: ColumnCodec, members: Members, value: unknown): void {
  const { at = 0, of = 0 } = slot ?? {}
  const known = members[property]
  const values: unknown[] =
    at > 0 && Array.isArray(known) ? known : Array.from<unknown>({ length: of })
  values[at] = value
  members[property] = values
}

const UNSTORABLE: ReadonlySet<string> = new Set(['ConversionFailed', 'InvalidPropertyValue'])

/** Codes of initial values that cannot be stored. The next write reports them; a read ignores them. */
function storableInitial(
  column: ColumnCodec,
  initial: unknown,
  raw: RawEntity,
): string | undefined {
  try {
    return changeOf(column, convertedValue(column, initial, keyOfRaw(raw)), undefined)
  } catch (error) {
    if (error instanceof InputError && UNSTORABLE.has(error.code)) return undefined
    throw error
  }
}

/**
 * Rejects an object with a value in a member that the model neither stores nor ignores, since a write would
 * lose it. Methods, and members without a value, are fine.
 *
 * @param model - the model
 * @param members - the object
 * @param declared - every member that the model stores or ignores
 * @throws InputError (`UndeclaredProperty`) naming the first undeclared member
 */
export function checkDeclared(
  model: EntityModel<object>,
  members: Readonly<Record<string, unknown>>,
  declared: ReadonlySet<string>,
): void {
  for (const member in members) {
    if (declared.has(member) || !Object.hasOwn(members, member)) continue
    const value = members[member]
    if (value === undefined || value === null || typeof value === 'function') continue
    throw mapperInputError({
      code: 'UndeclaredProperty',
      message: `${model.title}.${member} has a value, but ${undeclared(model)}`,
      details: { property: `${model.title}.${member}` },
    })
  }
}

function undeclared(model: EntityModel<object>): string {
  return model.class === undefined
    ? 'the model does not declare it, so it would not be stored. Add it to the schema, or remove it.'
    : 'the class does not declare it, so it would not be stored. Put @Property() on it to store it, or @Ignore() to leave it out.'
}

/**
 * Returns the members of an entity.
 *
 * @throws InputError (`InvalidEntity`) when it is not an object
 */
export function membersOf(model: EntityModel<object>, entity: unknown): Members {
  if (typeof entity === 'object' && entity !== null) return entity as Members // every object has members by name
  throw mapperInputError({
    code: 'InvalidEntity',
    message:
      `An entity of ${model.title} must be an object; got ${describeKind(entity)}. Pass an instance of the ` +
      'class, or an object with its members.',
  })
}
