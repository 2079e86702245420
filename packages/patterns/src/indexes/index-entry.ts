import { codecOf, type EntityModel } from '@rowkey/mapper'
import {
  checkEntityKey,
  DynamicEntity,
  dynamicEntityCodec,
  type EntityKey,
  type EntityProperty,
  InputError,
  keyOfRaw,
  type RawEntity,
} from '@rowkey/odata'
import { checkIndex } from './index-checks.ts'
import type { IndexDefinition } from './index-definition.ts'

/** The property of an entry that holds the RowKey of its entity. */
export const OWNER = 'IndexedRowKey'

/** One entry of an index, as it is stored beside its entity. */
export interface IndexEntry {
  /** PartitionKey of the entity, and the entry's own RowKey. */
  readonly key: EntityKey
  /** RowKey of the entity. */
  readonly owner: string
  /** The JSON of the entry. */
  readonly body: string
}

/** One index of a model: it makes the entries of rows. */
export class EntityIndex {
  /** The name of the index. */
  readonly name: string
  /** The model whose rows are indexed. */
  readonly model: EntityModel<object>
  /** How the index is declared. */
  readonly definition: IndexDefinition
  /** What the RowKeys of all entries begin with. */
  readonly beginning: string
  readonly #projected: readonly string[]

  /**
   * @param name - the name of the index
   * @param model - the model whose rows are indexed
   * @param definition - how the index is declared
   * @throws ModelError when the model cannot have this index
   */
  constructor(name: string, model: EntityModel<object>, definition: IndexDefinition) {
    this.name = name
    this.model = model
    this.definition = definition
    this.beginning = checkIndex(name, model, definition)
    const project: readonly string[] = definition.project ?? []
    this.#projected = model.columns
      .filter(({ property }) => project.includes(property))
      .map((column) => column.name)
  }

  /** Whether two entities of a partition must not have the same values. */
  get isUnique(): boolean {
    return this.definition.unique === true
  }

  /** The stored names whose values decide the entry. */
  get names(): readonly string[] {
    const { properties } = this.definition.rowKey
    const indexed = this.model.columns.filter(({ property }) => properties.includes(property))
    return [...indexed.map((column) => column.name), ...this.#projected]
  }

  /** Whether an entry may depend on any property, through the function `where`. */
  get dependsOnAll(): boolean {
    return this.definition.where !== undefined
  }

  /**
   * Makes the entry of a row.
   *
   * @returns `undefined` when the row has no entry: a value is missing, or `where` leaves it out
   * @throws InputError for a value that the key of an entry cannot hold
   */
  entryOf(raw: RawEntity): IndexEntry | undefined {
    const entity = codecOf(this.model).read(raw)
    const { rowKey: template, where } = this.definition
    const members = entity as Readonly<Record<string, unknown>> // every object has members
    if (template.properties.some((property) => (members[property] ?? undefined) === undefined)) {
      return undefined
    }
    if (where !== undefined && !where(entity)) return undefined
    const { partitionKey, rowKey: owner } = keyOfRaw(raw)
    const key = { partitionKey, rowKey: this.#printKey(members) }
    return { key, owner, body: this.#bodyOf(raw, key, owner) }
  }

  /** Reads the owner of a stored entry; `undefined` for a row that is not an entry. */
  ownerOf(raw: RawEntity): string | undefined {
    const owner = raw[OWNER]
    return typeof owner === 'string' ? owner : undefined
  }

  /** Tells whether a stored row is exactly this entry. */
  isStoredAs(raw: RawEntity, { body }: IndexEntry): boolean {
    const { partitionKey, rowKey, properties } = dynamicEntityCodec.read(raw)
    return bodyOf({ partitionKey, rowKey }, properties) === body
  }

  #printKey(members: object): string {
    try {
      const rowKey = this.definition.rowKey.print(members)
      checkEntityKey({ partitionKey: '', rowKey })
      return rowKey
    } catch (cause) {
      if (!(cause instanceof InputError)) throw cause
      const { code, details } = cause
      const message = `Index ${this.name} of ${this.model.title}: ${cause.message}`
      throw new InputError({ code, message, details, cause })
    }
  }

  #bodyOf(raw: RawEntity, key: EntityKey, owner: string): string {
    const { properties } = dynamicEntityCodec.read(raw)
    const copies = this.#projected.map((name) => [name, properties.get(name)] as const)
    return bodyOf(key, [...copies, [OWNER, owner]])
  }
}

/** Writes an entry with its properties in order, because services return them in any order. */
function bodyOf({ partitionKey, rowKey }: EntityKey, properties: EntryProperties): string {
  const sorted = [...properties].sort(([one], [other]) => (one < other ? -1 : 1))
  return dynamicEntityCodec.write(new DynamicEntity(partitionKey, rowKey, sorted))
}

type EntryProperties = Iterable<readonly [name: string, value: EntityProperty | string | undefined]>
