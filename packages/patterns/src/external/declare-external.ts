import { type Account, type EntityModel, keepRows, ModelError } from '@rowkey/mapper'
import { checkOptions } from '@rowkey/rest'
import { checkFunction, checkMethods, checkModel, checkText } from '../errors/check-arguments.ts'
import { modelTable } from '../rows/model-table.ts'
import { ExternalKeeper, type ExternalProperty } from './external-keeper.ts'
import type { ExternalStore } from './external-store.ts'
import { ExternalTable } from './external-table.ts'

/** How a property is stored outside, for {@link declareExternal}. */
export interface ExternalOptions<Entity extends object> {
  /** The property that holds the address of the value: a text that may be absent. */
  readonly property: keyof Entity & string
  /** Keeps the values. */
  readonly store: ExternalStore
  /**
   * Makes the last part of an address. It must be new each time.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
}

/** The options of {@link ExternalValues.on}. */
export interface ExternalTableOptions {
  /** The table's name, when it is not the model's. */
  readonly name?: string | undefined
}

/** The values of one property, which are stored outside of the table; from {@link declareExternal}. */
export class ExternalValues<Entity extends object, Input extends object, Key extends object> {
  readonly #model: EntityModel<Entity, Input, Key>
  readonly #external: ExternalProperty
  readonly #newId: () => string

  /** @internal */
  constructor(
    model: EntityModel<Entity, Input, Key>,
    external: ExternalProperty,
    newId: () => string,
  ) {
    this.#model = model
    this.#external = external
    this.#newId = newId
  }

  /** Opens the values of one table. Nothing is sent. */
  on(account: Account, options: ExternalTableOptions = {}): ExternalTable<Entity, Input, Key> {
    modelTable(this.#external.model, account, options, 'external values')
    const rows = account.table(this.#model, options)
    return new ExternalTable({ account, rows, external: this.#external, newId: this.#newId })
  }
}

const STORE = ['put', 'get', 'has', 'delete', 'list']

/**
 * Declares that the values of a property are stored outside, because they do not fit a row: the property holds an
 * address. From then on each write of the model's tables is rejected if its row would refer to a missing value.
 *
 * Call it next to the model, before the first write.
 *
 * @param model - the model
 * @param options - the property and the store
 * @throws ModelError when the property is not plain text
 *
 * @example
 * ```ts
 * const photos = declareExternal(Employee, { property: 'photo', store: blobStore(container) })
 * const jones = await account.table(Employee).get({ department: 'Sales', id: 223 })
 * await photos.on(account).save(jones, bytes)
 * ```
 */
export function declareExternal<Entity extends object, Input extends object, Key extends object>(
  model: EntityModel<Entity, Input, Key>,
  options: ExternalOptions<Entity>,
): ExternalValues<Entity, Input, Key> {
  checkOptions(options, ['property', 'store', 'newId'], 'declareExternal')
  checkModel(model, 'declareExternal')
  const { property, store, newId = () => crypto.randomUUID() } = options
  checkText(property, 'property of declareExternal')
  checkMethods(store, 'store of declareExternal', 'a store such as chunkStore', STORE)
  checkFunction(newId, 'newId of declareExternal')
  const given = model as EntityModel<object, object, object>
  const column = given.columns.find((each) => each.property === property)
  const isText = column?.type === undefined || column.type === 'String'
  if (column === undefined || !isText || column.encryption || column.chunked || column.converter) {
    throw new ModelError({
      className: model.title,
      property,
      problem:
        'It must be a stored property of plain text, which holds the address of the value. Declare it as an optional string.',
    })
  }
  const external = { model: given, property, name: column.name, store }
  keepRows(given, new ExternalKeeper(external), 'declareExternal')
  return new ExternalValues(model, external, newId)
}
