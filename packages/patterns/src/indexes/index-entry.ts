import { codecOf, type EntityModel, type KeptTable, type KeyCodec, key } from '@rowkey/mapper'
import {
  checkEntityKey,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  type EntityProperty,
  InputError,
  keyOfRaw,
  parseEntityObject,
  type RawEntity,
} from '@rowkey/odata'
import { keyCheckOf, tableIdOf } from '@rowkey/rest'
import { type Derived, fingerprintOf } from '../derived/definition.ts'
import { keptBeginning } from '../derived/kept-key.ts'
import { storedNamesOf } from '../rows/known-properties.ts'
import { readable, Unreadable } from '../rows/unreadable.ts'
import { checkDefinition, checkIndex, OWNER, OWNER_PARTITION } from './index-checks.ts'
import type { IndexDefinition, IndexDefinitions } from './index-definition.ts'

/** One entry of an index. */
export interface IndexEntry {
  readonly key: EntityKey
  /** The key of its entity. */
  readonly row: EntityKey
  /** The JSON of the entry. */
  readonly body: string
}

/** One index of a model: it makes the entries of rows. */
export class EntityIndex implements Derived {
  readonly kind = 'index'
  readonly name: string
  readonly model: EntityModel<object>
  readonly id: string
  readonly table: string | undefined
  /** How the index is declared. */
  readonly definition: IndexDefinition
  /** The beginning of the RowKeys of all entries. */
  readonly beginning: string
  /** Whether two entities of a partition must not have the same values. */
  readonly isUnique: boolean
  /** Whether its entries lie in partitions of their own, and follow the rows a moment later. */
  readonly isEventual: boolean
  /** How the PartitionKeys of the entries are made. */
  readonly partitionKey: KeyCodec
  /** How the RowKeys of the entries are made, their beginning included. */
  readonly rowKey: KeyCodec
  /** The properties that an entity must have for an entry. */
  readonly properties: readonly string[]
  readonly #projected: readonly string[]
  /** The same index with entries of its own for each table of entities, where several may share one table of entries. */
  readonly #tables = new Map<string, EntityIndex>()

  /**
   * @param name - the name of the index
   * @param model - the model whose rows are indexed
   * @param definition - how the index is declared
   * @param source - the table of the entities, if the entries lie in another
   * @throws ModelError when the model cannot have this index
   */
  constructor(
    name: string,
    model: EntityModel<object>,
    definition: IndexDefinition,
    source?: string,
  ) {
    checkIndex(name, model, definition)
    const { partitionKey, rowKey, unique = false, table, project = [] } = definition
    const keys = partitionKey === undefined ? [rowKey] : [partitionKey, rowKey]
    this.name = name
    this.model = model
    this.definition = definition
    this.isUnique = unique
    this.isEventual = partitionKey !== undefined
    this.partitionKey = partitionKey ?? model.partitionKey
    this.properties = keys.flatMap(({ properties }) => properties)
    const named = `${name}.${fingerprintOf(model, {
      ...definition,
      keys,
      properties: [...this.properties, ...project],
      shown: storedNamesOf(model, project),
    })}`
    this.id = `ix~${named}`
    this.table = table
    this.beginning = `${keptBeginning('ix', model, named)}${source === undefined ? '' : `${source}~`}`
    const texts = [this.beginning, '']
    this.rowKey = key(Object.assign(texts, { raw: texts }), rowKey)
    this.#projected = storedNamesOf(model, project)
  }

  /** Returns the index of a table of entities. */
  in({ service, name }: KeptTable): EntityIndex {
    if (this.table === undefined) return this
    const source = tableIdOf(name, service.endpoint)
    const own =
      this.#tables.get(source) ?? new EntityIndex(this.name, this.model, this.definition, source)
    this.#tables.set(source, own)
    return own
  }

  /** Tells whether a merge of some stored names can change an entry. */
  touches(names: ReadonlySet<string>): boolean {
    if (this.definition.where !== undefined) return true
    const own = [...storedNamesOf(this.model, this.properties), ...this.#projected]
    return own.some((name) => names.has(name))
  }

  /** Returns the table of the entries, for a table of the model. */
  tableFor({ service, name }: KeptTable): KeptTable {
    return { service, name: this.table ?? name }
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
    const { partitionKey } = this.definition
    try {
      const made = {
        partitionKey: partitionKey?.print(members) ?? '',
        rowKey: this.rowKey.print(members),
      }
      checkEntityKey(made)
      if (partitionKey === undefined) return { ...made, partitionKey: own }
      if (table !== undefined) keyCheckOf(table.service.endpoint)(made)
      return made
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
 * @throws InputError | ModelError when a name or a definition is invalid
 */
export function indexesOf(
  model: EntityModel<object>,
  definitions: IndexDefinitions<never>,
): ReadonlyMap<string, EntityIndex> {
  const indexes = new Map<string, EntityIndex>()
  for (const [name, definition] of Object.entries(definitions)) {
    checkDefinition(name, model.title, definition)
    // `where` is called with entities of this model only.
    indexes.set(name, new EntityIndex(name, model, definition as IndexDefinition))
  }
  return indexes
}

/** Writes an entry with its properties in order, because services return them in any order. */
function bodyOf({ partitionKey, rowKey }: EntityKey, properties: EntryProperties): string {
  const sorted = [...properties].sort(([one], [other]) => (one < other ? -1 : 1))
  return dynamicEntityCodec.write(new DynamicEntity(partitionKey, rowKey, sorted))
}

type EntryProperties = Iterable<readonly [name: string, value: EntityProperty | string | undefined]>
