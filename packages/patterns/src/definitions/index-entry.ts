import { codecOf, type EntityModel, type KeptTable, type KeyCodec } from '@rowkey/mapper'
import {
  checkEntityKey,
  type DeclaredOptions,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  type EntityProperty,
  InputError,
  keyOfRaw,
  parseEntityObject,
  type RawEntity,
} from '@rowkey/odata'
import { keyCheckOf } from '@rowkey/rest'
import { beginningOf } from '../rows/row-filter.ts'
import { readable, Unreadable } from '../rows/unreadable.ts'
import { checkDefinition, checkIndex, OWNER, OWNER_PARTITION } from './index-checks.ts'
import type { AnyIndexDefinition } from './index-definition.ts'

/** One entry of an index. */
export interface IndexEntry {
  readonly key: EntityKey
  /** The key of its entity. */
  readonly row: EntityKey
  /** The JSON of the entry. */
  readonly body: string
}

/** One index of a model: it makes the entries of rows. */
export class EntityIndex {
  /** What the catalogue calls it. */
  readonly kind = 'index'
  /** The name of the index. */
  readonly name: string
  /** The model whose rows are indexed. */
  readonly model: EntityModel<object>
  /** How the index is declared. */
  readonly definition: AnyIndexDefinition
  /** The beginning of the RowKeys of all entries. */
  readonly beginning: string
  /** Whether two entities of a partition must not have the same values. */
  readonly isUnique: boolean
  /** Whether its entries lie in partitions of their own, and follow the rows a moment later. */
  readonly isEventual: boolean
  /** How the PartitionKeys of the entries are made. */
  readonly partitionKey: KeyCodec
  /** The properties that an entity must have for an entry. */
  readonly properties: readonly string[]
  /** Tells it from all other indexes of its table, those of other models included. */
  readonly place: string
  /** The table of the entries, when it is another than that of the rows. */
  readonly entryTable: string | undefined
  readonly #projected: readonly string[]

  /**
   * @param name - the name of the index
   * @param model - the model whose rows are indexed
   * @param definition - how the index is declared
   * @throws ModelError when the model cannot have this index
   */
  constructor(name: string, model: EntityModel<object>, definition: AnyIndexDefinition) {
    this.name = name
    this.model = model
    this.definition = definition
    this.beginning = checkIndex(name, model, definition)
    const { partitionKey, rowKey, unique = false, table } = definition
    this.isUnique = unique
    this.isEventual = partitionKey !== undefined
    this.partitionKey = partitionKey ?? model.partitionKey
    this.properties = [...(partitionKey?.properties ?? []), ...rowKey.properties]
    this.place = `${this.isEventual ? 'eventual.' : ''}${name}${markOf(model)}`
    this.entryTable = table
    this.#projected = storedNamesOf(model, definition.project ?? [])
  }

  /**
   * Everything in its declaration that its entries depend on, as text. Equal texts give equal entries, unless their `where` or a
   * converter differs and the `revision` does not. A later version of a model may read other values from the same rows, so the version is
   * a part.
   */
  get declaration(): string {
    const { model, definition } = this
    const { partitionKey, rowKey, table, unique = false, where, revision = 1 } = definition
    const templates = partitionKey === undefined ? [rowKey] : [partitionKey, rowKey]
    const types = model.columns
      .filter(({ property }) => this.properties.includes(property))
      .map(({ name, type = '' }) => `${name}: ${type}`)
    const { number = 1 } = model.version ?? {}
    return JSON.stringify({
      keys: templates.map(printedTemplate),
      project: this.#projected,
      types,
      unique,
      where: where !== undefined,
      revision,
      version: definition.sameSince ?? number,
      table,
    })
  }

  /** Tells whether a merge of some stored names can change an entry. */
  touches(names: ReadonlySet<string>): boolean {
    if (this.definition.where !== undefined) return true
    const own = [...storedNamesOf(this.model, this.properties), ...this.#projected]
    return own.some((name) => names.has(name))
  }

  /** Returns the table of the entries, for a table of the model. */
  tableFor({ service, name }: KeptTable): KeptTable {
    return { service, name: this.entryTable ?? name }
  }

  /**
   * Makes the entry of a row.
   *
   * @param raw - the row
   * @param table - where the entry is to be stored: the service may have further rules for its key
   * @returns `undefined` when the row has no entry: a value is missing, or `where` leaves it out
   * @throws InputError for a value that the key of an entry cannot hold
   */
  entryOf(raw: RawEntity, table?: KeptTable): IndexEntry | undefined {
    const { partitionKey } = this.definition
    const members = this.#membersOf(raw)
    if (members === undefined) return undefined
    const row = keyOfRaw(raw)
    const key = this.#keyOf(row, members, table)
    const { properties } = dynamicEntityCodec.read(this.#migrated(raw, members))
    const copies = this.#projected.map((name) => [name, properties.get(name)] as const)
    const owner: [string, string][] = [[OWNER, row.rowKey]]
    if (partitionKey !== undefined) owner.push([OWNER_PARTITION, row.partitionKey])
    return { key, row, body: bodyOf(key, [...copies, ...owner]) }
  }

  /**
   * Makes the entry of a row that any program may have stored.
   *
   * @returns also why the row can have none: the model cannot read it, or no key can hold its values. A row of another type has none
   */
  readEntry(raw: RawEntity, table?: KeptTable): IndexEntry | Unreadable | undefined {
    const entry = readable(keyOfRaw(raw), () => this.entryOf(raw, table))
    const isOfOther = entry instanceof Unreadable && entry.finding.error.code === 'UnknownType'
    return isOfOther ? undefined : entry
  }

  /** Reads the key of the entity from a stored entry; `undefined` for a row that is not an entry. */
  rowOf(raw: RawEntity): EntityKey | undefined {
    const { [OWNER_PARTITION]: other, [OWNER]: rowKey } = raw
    const partitionKey = this.isEventual ? other : keyOfRaw(raw).partitionKey
    const isOwned = typeof partitionKey === 'string' && typeof rowKey === 'string'
    return isOwned ? { partitionKey, rowKey } : undefined
  }

  /** Tells whether a stored row is exactly this entry. */
  isStoredAs(raw: RawEntity, { body }: IndexEntry): boolean {
    const { partitionKey, rowKey, properties } = dynamicEntityCodec.read(raw)
    return bodyOf({ partitionKey, rowKey }, properties) === body
  }

  /** Reads the members of a row; `undefined` when an indexed value is missing, or `where` leaves it out. */
  #membersOf(raw: RawEntity): object | undefined {
    const { where } = this.definition
    const entity = codecOf(this.model).read(raw)
    const members = entity as Readonly<Record<string, unknown>> // every object has members
    const isWhole = this.properties.every((each) => (members[each] ?? undefined) !== undefined)
    return isWhole && (where === undefined || where(entity)) ? entity : undefined
  }

  /** Returns the row as this version of the model stores it, so that copies of rows of other versions have the values that their reads have. */
  #migrated(raw: RawEntity, entity: object): RawEntity {
    const { version } = this.model
    const isOwn = version === undefined || Number(raw[version.property] ?? 1) === version.number
    if (isOwn || this.#projected.length === 0) return raw
    return parseEntityObject(codecOf(this.model).write(entity))
  }

  #keyOf({ partitionKey: own }: EntityKey, members: object, table?: KeptTable) {
    const { partitionKey, rowKey } = this.definition
    try {
      const key = {
        partitionKey: partitionKey?.print(members) ?? '',
        rowKey: rowKey.print(members),
      }
      checkEntityKey(key)
      if (partitionKey === undefined) return { ...key, partitionKey: own }
      if (table !== undefined) keyCheckOf(table.service.endpoint)(key)
      return key
    } catch (cause) {
      if (!(cause instanceof InputError)) throw cause
      const { code, details } = cause
      const message = `Index ${this.name} of ${this.model.title}: ${cause.message}`
      throw new InputError({ code, message, details, cause })
    }
  }
}

/**
 * Makes the indexes of a model.
 *
 * @param model - the model
 * @param definitions - the indexes by their names
 * @param declared - the options of a definition
 * @throws InputError | ModelError when a name or a definition is invalid
 */
export function indexesOf<Definition>(
  model: EntityModel<object>,
  definitions: Readonly<Record<string, Definition>>,
  declared: DeclaredOptions<Definition>,
): ReadonlyMap<string, EntityIndex> {
  const indexes = new Map<string, EntityIndex>()
  for (const [name, definition] of Object.entries(definitions)) {
    checkDefinition(name, model.title, definition, declared)
    // `where` is called with entities of this model only.
    indexes.set(name, new EntityIndex(name, model, definition as AnyIndexDefinition))
  }
  return indexes
}

/** Returns what the RowKeys of the entries begin with, by index. */
export function beginningsOf(
  indexes: ReadonlyMap<string, EntityIndex>,
): ReadonlyMap<string, string> {
  return new Map(
    Array.from(indexes.values(), ({ name, beginning }) => [`index ${name}`, beginning]),
  )
}

/** Lists the stored names of some properties that are not keys. */
export function storedNamesOf(
  { columns }: EntityModel<object>,
  properties: readonly string[],
): readonly string[] {
  return columns.filter(({ property }) => properties.includes(property)).map(({ name }) => name)
}

/** Tells a model from the other models of its tables: by the beginnings of its keys and by its discriminator. */
export function markOf(model: EntityModel<object>): string {
  const mark = `${beginningOf(model.rowKey)}${typeMark(model)}`
  return mark === '' ? '' : `.${mark}`
}

/** Tells a model from others with the same RowKeys. */
export function typeMark({ partitionKey, discriminator }: EntityModel<object>): string {
  const partition = beginningOf(partitionKey)
  const type = discriminator === undefined ? '' : `=${encodeURIComponent(discriminator.value)}`
  return partition === '' ? type : `${type}@${encodeURIComponent(partition)}`
}

/** Prints a template so that equal texts print equal keys. */
export function printedTemplate({ segments }: KeyCodec): readonly unknown[] {
  return segments.map((each) => (typeof each === 'string' ? each : [each.text]))
}

/** Writes an entry with its properties in order, because services return them in any order. */
function bodyOf({ partitionKey, rowKey }: EntityKey, properties: EntryProperties): string {
  const sorted = [...properties].sort(([one], [other]) => (one < other ? -1 : 1))
  return dynamicEntityCodec.write(new DynamicEntity(partitionKey, rowKey, sorted))
}

type EntryProperties = Iterable<readonly [name: string, value: EntityProperty | string | undefined]>
