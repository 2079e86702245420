import { type EntityModel, type KeptTable, type KeyCodec, ModelError } from '@rowkey/mapper'
import { type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { copyProblem } from '../indexes/index-checks.ts'
import {
  declarationOf,
  entryBody,
  indexedMembers,
  isEntry,
  OWNER,
  placeOf,
  printKey,
  storedNamesOf,
} from '../indexes/index-entry.ts'
import { beginningOf } from '../rows/row-filter.ts'

/** How one eventual index is declared, for {@link declareEventualIndexes}. */
export interface EventualIndexDefinition<Entity extends object = object> {
  /** How properties make the PartitionKey of an entry. */
  readonly partitionKey: KeyCodec
  /**
   * How properties make the RowKey of an entry: a fixed beginning, and what sorts the entries. Together with
   * `partitionKey` it has all properties of the entity's own key. An entity without a value for one of them has
   * no entry.
   */
  readonly rowKey: KeyCodec
  /**
   * The table of the entries. It must exist.
   *
   * @defaultValue the table of the entities
   */
  readonly table?: string | undefined
  /**
   * The properties that each entry holds a copy of.
   *
   * @defaultValue none
   */
  readonly project?: readonly (keyof Entity & string)[] | undefined
  /**
   * Which entities have an entry: return `false` to leave one out. It must depend on nothing but the entity.
   *
   * @defaultValue every entity that has all values of the keys
   */
  readonly where?: ((entity: Entity) => boolean) | undefined
  /**
   * Counts the changes of `where`, and of converters of indexed properties. After a change the index is not read before it is built
   * again.
   *
   * @defaultValue 1
   */
  readonly revision?: number | undefined
}

/** One entry of an eventual index. */
export interface EventualEntry {
  readonly key: EntityKey
  /** The key of its entity. */
  readonly row: EntityKey
  /** The JSON of the entry. */
  readonly body: string
}

/** The property of an entry that holds the PartitionKey of its entity. */
const OWNER_PARTITION = 'IndexedPartitionKey'

/** One eventual index of a model: it makes the entries of rows. */
export class EventualIndex {
  /** The name of the index. */
  readonly name: string
  /** The model whose rows are indexed. */
  readonly model: EntityModel<object>
  /** How the index is declared. */
  readonly definition: EventualIndexDefinition
  /** The beginning of the RowKeys of all entries. */
  readonly beginning: string
  readonly #projected: readonly string[]

  /**
   * @param name - the name of the index
   * @param model - the model whose rows are indexed
   * @param definition - how the index is declared
   * @throws ModelError when the model cannot have this index
   */
  constructor(name: string, model: EntityModel<object>, definition: EventualIndexDefinition) {
    this.name = name
    this.model = model
    this.definition = definition
    this.beginning = beginningOf(definition.rowKey)
    this.#projected = storedNamesOf(model, definition.project ?? [])
    const problem = this.#problem()
    if (problem === undefined) return
    throw new ModelError({ className: model.title, problem: `Index ${name}: ${problem}` })
  }

  /** The properties of the keys of an entry. */
  get properties(): readonly string[] {
    const { partitionKey, rowKey } = this.definition
    return [...partitionKey.properties, ...rowKey.properties]
  }

  /** Tells it from all other indexes of its table. */
  get place(): string {
    return placeOf('eventual.', this)
  }

  /** Everything that its entries depend on, as text. */
  get declaration(): string {
    const { partitionKey, rowKey, table = '' } = this.definition
    return declarationOf(this, [partitionKey, rowKey], [...this.#projected, `table: ${table}`])
  }

  /** Tells whether a merge of some stored names can change an entry. */
  touches(names: ReadonlySet<string>): boolean {
    if (this.definition.where !== undefined) return true
    const own = [...storedNamesOf(this.model, this.properties), ...this.#projected]
    return own.some((name) => names.has(name))
  }

  /** Returns the table of the entries, for a table of the model. */
  tableFor({ service, name }: KeptTable): KeptTable {
    return { service, name: this.definition.table ?? name }
  }

  /** Makes the entry of a row; `undefined` when the row has no entry. */
  entryOf(raw: RawEntity): EventualEntry | undefined {
    const { partitionKey, rowKey, where } = this.definition
    const members = indexedMembers(this.model, raw, { properties: this.properties, where })
    if (members === undefined) return undefined
    const row = keyOfRaw(raw)
    const key = {
      partitionKey: printKey(this, partitionKey, members),
      rowKey: printKey(this, rowKey, members),
    }
    const owner = [
      [OWNER_PARTITION, row.partitionKey],
      [OWNER, row.rowKey],
    ] as const
    return { key, row, body: entryBody(raw, key, this.#projected, owner) }
  }

  /**
   * Reads the key of the entity from a stored entry; `undefined` for a row that is not an entry.
   */
  rowOf(raw: RawEntity): EntityKey | undefined {
    const { [OWNER_PARTITION]: partitionKey, [OWNER]: rowKey } = raw
    const isOwned = typeof partitionKey === 'string' && typeof rowKey === 'string'
    return isOwned ? { partitionKey, rowKey } : undefined
  }

  /** Tells whether a stored row is exactly this entry. */
  isStoredAs(raw: RawEntity, { body }: EventualEntry): boolean {
    return isEntry(raw, body)
  }

  #problem(): string | undefined {
    const { model, beginning, properties, definition } = this
    if (beginning === '') {
      return `Its rowKey needs a fixed beginning that tells entries from other rows. Write key\`email_\${'id'}\`.`
    }
    const missing = [...model.partitionKey.properties, ...model.rowKey.properties].filter(
      (each) => !properties.includes(each),
    )
    if (missing.length === 0)
      return copyProblem(model, [...properties, ...(definition.project ?? [])])
    return `Two entities could have one entry, so its keys must have all properties of the entity's own key. Add ${missing.map((each) => `\${'${each}'}`).join(', ')} to its rowKey.`
  }
}

/** Tells whether two keys are the same. */
export function isSameKey(one: EntityKey, other: EntityKey): boolean {
  return one.partitionKey === other.partitionKey && one.rowKey === other.rowKey
}
