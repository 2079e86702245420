import { codecOf, type EntityModel, type KeyCodec } from '@rowkey/mapper'
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
import { beginningOf } from '../rows/row-filter.ts'
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
  /** The beginning of the RowKeys of all entries. */
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
    this.#projected = storedNamesOf(model, definition.project ?? [])
  }

  /** Whether two entities of a partition must not have the same values. */
  get isUnique(): boolean {
    return this.definition.unique === true
  }

  /** The stored names whose values decide the entry. */
  get names(): readonly string[] {
    const { properties } = this.definition.rowKey
    return [...storedNamesOf(this.model, properties), ...this.#projected]
  }

  /** Whether an entry may depend on any property, through the function `where`. */
  get dependsOnAll(): boolean {
    return this.definition.where !== undefined
  }

  /** Tells it from all other indexes of its table: models in one table differ in the beginning of their RowKeys. */
  get place(): string {
    return placeOf('', this)
  }

  /** Everything that its entries depend on, as text. */
  get declaration(): string {
    const { rowKey, unique = false } = this.definition
    return declarationOf(this, [rowKey], [...this.#projected, `unique: ${unique}`])
  }

  /**
   * Makes the entry of a row.
   *
   * @returns `undefined` when the row has no entry: a value is missing, or `where` leaves it out
   * @throws InputError for a value that the key of an entry cannot hold
   */
  entryOf(raw: RawEntity): IndexEntry | undefined {
    const { rowKey: template, where } = this.definition
    const members = indexedMembers(this.model, raw, { properties: template.properties, where })
    if (members === undefined) return undefined
    const { partitionKey, rowKey: owner } = keyOfRaw(raw)
    const rowKey = printKey(this, template, members)
    const key = { partitionKey, rowKey }
    return { key, owner, body: entryBody(raw, key, this.#projected, [[OWNER, owner]]) }
  }

  /** Reads the owner of a stored entry; `undefined` for a row that is not an entry. */
  ownerOf(raw: RawEntity): string | undefined {
    const owner = raw[OWNER]
    return typeof owner === 'string' ? owner : undefined
  }

  /** Tells whether a stored row is exactly this entry. */
  isStoredAs(raw: RawEntity, { body }: IndexEntry): boolean {
    return isEntry(raw, body)
  }
}

/** Which rows have an entry. */
interface IndexedRows {
  readonly properties: readonly string[]
  readonly where: ((entity: object) => boolean) | undefined
}

/**
 * Reads the members of a row; `undefined` when an indexed value is missing, or `where` leaves it
 * out.
 */
export function indexedMembers(
  model: EntityModel<object>,
  raw: RawEntity,
  { properties, where }: IndexedRows,
): object | undefined {
  const entity = codecOf(model).read(raw)
  const members = entity as Readonly<Record<string, unknown>> // every object has members
  const isWhole = properties.every((each) => (members[each] ?? undefined) !== undefined)
  return isWhole && (where === undefined || where(entity)) ? entity : undefined
}

/**
 * Prints a part of the key of an entry.
 *
 * @throws InputError for a value that the key cannot hold
 */
export function printKey(
  { name, model }: { readonly name: string; readonly model: EntityModel<object> },
  template: KeyCodec,
  members: object,
): string {
  try {
    const text = template.print(members)
    checkEntityKey({ partitionKey: '', rowKey: text })
    return text
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause
    const { code, details } = cause
    const message = `Index ${name} of ${model.title}: ${cause.message}`
    throw new InputError({ code, message, details, cause })
  }
}

/** Writes the entry of a row: copies of some stored names, and who owns it. */
export function entryBody(
  raw: RawEntity,
  key: EntityKey,
  projected: readonly string[],
  owner: readonly (readonly [name: string, key: string])[],
): string {
  const { properties } = dynamicEntityCodec.read(raw)
  const copies = projected.map((name) => [name, properties.get(name)] as const)
  return bodyOf(key, [...copies, ...owner])
}

/** Tells whether a stored row is the entry with this body. */
export function isEntry(raw: RawEntity, body: string): boolean {
  const { partitionKey, rowKey, properties } = dynamicEntityCodec.read(raw)
  return bodyOf({ partitionKey, rowKey }, properties) === body
}

/** Lists the stored names of some properties that are not keys. */
export function storedNamesOf(
  { columns }: EntityModel<object>,
  properties: readonly string[],
): readonly string[] {
  return columns.filter(({ property }) => properties.includes(property)).map(({ name }) => name)
}

/**
 * Returns the name of an index in the catalogue of its table.
 *
 * @param family - tells kinds of indexes apart
 */
export function placeOf(
  family: string,
  { name, model }: { readonly name: string; readonly model: EntityModel<object> },
): string {
  const own = beginningOf(model.rowKey)
  return own === '' ? `${family}${name}` : `${family}${name}.${own}`
}

/** An index, as far as its declaration is printed. */
interface DeclaredIndex {
  readonly name: string
  readonly model: EntityModel<object>
  readonly definition: { readonly where?: unknown; readonly revision?: number | undefined }
}

/**
 * Prints the declaration of an index. Equal texts give equal entries, unless their `where` or a converter differs and the
 * `revision` does not. A later version of a model may read other values from the same rows, so the version is a part.
 */
export function declarationOf(
  { name, model, definition: { where, revision = 1 } }: DeclaredIndex,
  templates: readonly KeyCodec[],
  rest: readonly string[],
): string {
  const properties = templates.flatMap((template) => template.properties)
  const types = model.columns
    .filter(({ property }) => properties.includes(property))
    .map(({ name: stored, type = '' }) => `${stored}: ${type}`)
  const segments = templates.flatMap((template) =>
    template.segments.map((each) => (typeof each === 'string' ? each : [each.text])),
  )
  const version = model.version?.number ?? 1
  const more = [`where: ${where !== undefined}`, `revision: ${revision}`, `version: ${version}`]
  return JSON.stringify([name, segments, rest, types, more])
}

/** Writes an entry with its properties in order, because services return them in any order. */
function bodyOf({ partitionKey, rowKey }: EntityKey, properties: EntryProperties): string {
  const sorted = [...properties].sort(([one], [other]) => (one < other ? -1 : 1))
  return dynamicEntityCodec.write(new DynamicEntity(partitionKey, rowKey, sorted))
}

type EntryProperties = Iterable<readonly [name: string, value: EntityProperty | string | undefined]>
