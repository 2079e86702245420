import {
  checkEntityKey,
  type EntityKey,
  InputError,
  type KeyCheck,
  parseDateTime,
  type RawEntity,
  systemPropertyNames,
  timestampOfEtag,
} from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { describeKind } from '../errors/describe-kind.ts'
import { type KeyCodec, wholeKeyOf } from '../keys/key-codec.ts'
import { undeclaredMembers } from '../member/stored-member.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { managedNames } from '../model/marks-of.ts'
import type { Members } from '../model/members-in.ts'
import {
  isComplete,
  isEtagOfSnapshot,
  keepSnapshot,
  namesIn,
  type RowOrigin,
  rowBehind,
  type Snapshot,
  snapshotOf,
} from '../snapshot/snapshot.ts'
import { type ColumnCodec, columnCodec, readColumn, revealedRaw } from './column-codec.ts'
import { NOWHERE, type RowCodec } from './row-codec.ts'
import {
  changedMember,
  initialMember,
  isUntouched,
  KeyHalves,
  openWithKey,
  partMember,
  type SentEntity,
  wholeMember,
} from './write-column.ts'

/** Rejects a row before it is read. */
type RowCheck = (model: EntityModel<object>, raw: RawEntity) => void

/** The codec of one mapped class, compiled before the first entity is read or written. */
export class ClassCodec<Entity extends object> implements RowCodec<Entity> {
  readonly #model: EntityModel<Entity>
  readonly #keys: KeyHalves
  readonly #columns: readonly ColumnCodec[]
  readonly #chunked: readonly ColumnCodec[]
  readonly #members: ReadonlySet<string>
  readonly #storedNames: ReadonlySet<string>
  readonly #computed: ReadonlySet<string>
  readonly #assigned: readonly string[]
  readonly #hasOwnKeyNames: boolean
  readonly #checkRow: RowCheck | undefined

  /**
   * @param model - the model of the class
   * @param checkKey - rejects invalid keys
   * @param checkRow - rejects rows before they are read
   */
  constructor(
    model: EntityModel<Entity>,
    checkKey: KeyCheck = checkEntityKey,
    checkRow?: RowCheck,
  ) {
    const { partitionKey, rowKey, etag, timestamp, columns, ignored } = model
    const properties = columns.map((column) => column.property)
    const names = [...columns.map(({ name }) => name), ...managedNames(model)]
    const keys = [...partitionKey.properties, ...rowKey.properties]
    const own = [...keys, etag, timestamp].filter((member) => member !== undefined)
    this.#model = model
    this.#keys = new KeyHalves(model, checkKey)
    this.#computed = new Set(model.computed)
    this.#assigned = [...own, ...properties].filter((member) => !this.#computed.has(member))
    this.#columns = columns.map((column) => columnCodec(model, column))
    this.#chunked = this.#columns.filter(({ chunks }) => chunks !== undefined)
    this.#members = new Set([...own, ...properties, ...ignored])
    this.#storedNames = new Set([...systemPropertyNames, ...names])
    this.#checkRow = checkRow
    this.#hasOwnKeyNames = hasOwnKeyNames(model, this.#members)
  }

  keyOf(entity: Entity): EntityKey {
    return this.#keys.write(membersOf(this.#model, entity))
  }

  isKey(target: object): boolean {
    return !this.#hasOwnKeyNames && 'partitionKey' in target && 'rowKey' in target
  }

  etagOf(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    const { etag } = this.#model
    if (etag === undefined) return snapshot?.etag
    // The caller may change the member, so it wins over the snapshot.
    const carried = membersOf(this.#model, entity)[etag]
    if (typeof carried !== 'string') return undefined
    const isOfAnotherRow = snapshot === undefined && isEtagOfSnapshot(entity, carried)
    return isOfAnotherRow ? undefined : carried
  }

  write(entity: Entity): string {
    const shown = this.#shown(entity, wholeMember)
    const raw = rowBehind(entity)
    const undeclared = raw === undefined ? '' : this.#undeclared(raw, shown)
    return undeclared === '' ? shown : `${shown.slice(0, -1)}${undeclared}}`
  }

  writeShown(entity: Entity, snapshot: Snapshot | undefined): string {
    if (!snapshot?.partial) return this.#shown(entity, wholeMember)
    return this.#shown(entity, (column, sent) => partMember(column, sent, snapshot))
  }

  writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    if (snapshot === undefined) return this.writeShown(entity, snapshot)
    const sent = this.#declared(entity)
    let changes = ''
    for (const column of this.#columns) {
      // A value that is computed from members that were not read is wrong.
      if (snapshot.partial && column.computed) continue
      changes += changedMember(column, sent, snapshot)
    }
    return changes === '' ? undefined : `${openWithKey(sent.key)}${changes}}`
  }

  /** Returns the stored names of the columns that the caller has not touched since the row was known. */
  untouched(entity: Entity): ReadonlySet<string> {
    const snapshot = snapshotOf(entity)
    if (snapshot === undefined) return new Set()
    const sent = this.#sent(entity)
    const names = this.#columns.filter((column) => isUntouched(column, sent, snapshot))
    return new Set(names.map(({ name }) => name))
  }

  read(raw: RawEntity, etag?: string, origin: RowOrigin = NOWHERE, isPart = false): Entity {
    this.#checkRow?.(this.#model, raw)
    const entity = this.#model.create()
    const members = membersOf(this.#model, entity)
    this.#keys.read(members, raw)
    const defaults = assignColumns(this.#columns, members, raw)
    const initial = isPart ? this.#clearUnread(members, raw, defaults) : defaults
    const inRow = raw['odata.etag']
    const current = typeof inRow === 'string' ? inRow : etag
    const { etag: etagMember, timestamp } = this.#model
    this.#assign(members, etagMember, current)
    if (timestamp !== undefined) this.#assign(members, timestamp, timestampIn(raw))
    keepSnapshot(entity, { origin, row: raw, etag: current, partial: isPart, initial })
    return entity
  }

  reveal(raw: RawEntity): RawEntity {
    return revealedRaw(this.#columns, raw)
  }

  propertyOf(_entity: Entity, name: string): string {
    const owner = this.#chunked.find(({ chunks }) => chunks?.further.includes(name))
    return owner?.name ?? name
  }

  lacksStored(entity: Entity, snapshot: Snapshot): boolean {
    if (!isComplete(snapshot)) return false
    const members = membersOf(this.#model, entity)
    const raw = rowBehind(entity)
    return (
      raw !== undefined &&
      this.#columns.some(({ property, name }) => isAbsent(members[property]) && isStored(raw, name))
    )
  }

  refresh(entity: Entity, fresh: Entity): void {
    const members = membersOf(this.#model, entity)
    const source = membersOf(this.#model, fresh)
    for (const name of this.#assigned) {
      if (name in source) members[name] = source[name]
      else delete members[name]
    }
  }

  showVersion(entity: Entity, etag: string | undefined): void {
    const members = membersOf(this.#model, entity)
    const { etag: etagMember, timestamp } = this.#model
    this.#offer(members, etagMember, etag)
    if (timestamp === undefined || etag === undefined) return
    const modified = timestampOfEtag(etag)
    if (modified !== undefined) this.#offer(members, timestamp, modified)
  }

  /** Clears the defaults of properties that were not selected, and returns those that are left. */
  #clearUnread(
    members: Members,
    raw: RawEntity,
    defaults: ReadonlyMap<string, string> | undefined,
  ): ReadonlyMap<string, string> {
    const left = new Map(defaults)
    for (const { name, property } of this.#columns) {
      if (!Object.hasOwn(raw, name) && clear(members, property)) left.delete(name)
    }
    return left
  }

  /** Returns an entity that has values only where its class declares them. */
  #declared(entity: Entity): SentEntity {
    checkDeclared(this.#model, membersOf(this.#model, entity), this.#members)
    return this.#sent(entity)
  }

  #sent(entity: Entity): SentEntity {
    const members = membersOf(this.#model, entity)
    return { members, key: this.#keys.write(members), raw: rowBehind(entity) }
  }

  /** Writes every column with the function, after the key. */
  #shown(entity: Entity, write: (column: ColumnCodec, sent: SentEntity) => string): string {
    const sent = this.#declared(entity)
    const isPart = snapshotOf(entity)?.partial
    let text = openWithKey(sent.key)
    for (const column of this.#columns) {
      // A value that is computed from members that were not read is wrong.
      if (!isPart || !column.computed) text += write(column, sent)
    }
    return `${text}}`
  }

  /**
   * Returns the stored properties that the class does not declare. The chunks of a long value belong to
   * its column.
   */
  #undeclared(raw: RawEntity, shown: string): string {
    if (this.#chunked.length === 0) return undeclaredMembers(raw, this.#storedNames)
    const pieces = this.#chunked.flatMap(({ chunks }) => chunks?.namesIn(raw) ?? [])
    return undeclaredMembers(raw, new Set([...this.#storedNames, ...pieces, ...namesIn(shown)]))
  }

  /** Assigns a member if the model has it, it has a setter, and there is a value. */
  #assign(members: Members, member: string | undefined, value: unknown): void {
    if (member === undefined || value === undefined || this.#computed.has(member)) return
    members[member] = value
  }

  /** Assigns unless the object is frozen: a write that succeeded must not throw. */
  #offer(members: Members, member: string | undefined, value: unknown): void {
    if (member === undefined || this.#computed.has(member)) return
    Reflect.set(members, member, value)
  }
}

function timestampIn({ Timestamp }: RawEntity): Date | undefined {
  return typeof Timestamp === 'string' ? parseDateTime(Timestamp) : undefined
}

/**
 * Whether `partitionKey` or `rowKey` is a member of the model but not its PartitionKey or RowKey. An
 * object with these members is then an entity, or the parts of a key.
 */
function hasOwnKeyNames(model: EntityModel<object>, members: ReadonlySet<string>): boolean {
  const isOwn = (name: string, codec: KeyCodec) => members.has(name) && wholeKeyOf(codec) !== name
  return isOwn('partitionKey', model.partitionKey) || isOwn('rowKey', model.rowKey)
}

/**
 * Clears a member that was not selected, because the default of its class is not the stored value. A
 * caller can then assign that default on purpose. A setter on the prototype is not called.
 */
function clear(members: Members, property: string): boolean {
  const own = Object.getOwnPropertyDescriptor(members, property)
  if (own?.writable !== true) return false
  members[property] = undefined
  return true
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

/** Of a missing `constructor` or `__proto__`, `Object.prototype` has a value. */
function isStored(raw: RawEntity, name: string): boolean {
  return Object.hasOwn(raw, name) && !isAbsent(raw[name])
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

const UNSTORABLE: ReadonlySet<string> = new Set(['ConversionFailed', 'InvalidPropertyValue'])

/** Codes of initial values that cannot be stored. The next write reports them; a read ignores them. */
function storableInitial(
  column: ColumnCodec,
  initial: unknown,
  raw: RawEntity,
): string | undefined {
  try {
    return initialMember(column, initial, raw)
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
  for (const member of Object.keys(members)) {
    if (declared.has(member)) continue
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
