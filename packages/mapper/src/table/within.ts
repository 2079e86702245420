import {
  beginsWith,
  comparison,
  type EntityKey,
  type FilterNode,
  invalidOption,
  literalOf,
} from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import type { EntityModel } from '../model/entity-model.ts'
import type { RowRule } from '../model/row-rule.ts'
import { isPlainObject } from '../place/same-value.ts'
import type { TableSasTerms } from './admin/sas-terms-of.ts'

/** The rows of a table whose keys have fixed properties. */
export class Within implements RowRule {
  readonly names: readonly string[] = []
  /** The fixed properties. */
  readonly where: Readonly<Record<string, unknown>>
  /** The condition that the rows meet, whatever type they have. */
  readonly condition: FilterNode
  readonly #title: string
  readonly #prefix: string
  readonly #isWhole: boolean

  /**
   * @param model - the model of the table
   * @param values - the first properties of its PartitionKey
   * @throws InputError (`InvalidOptionValue`) for other properties, and (`InvalidKeyPart`) for values that the key rejects
   */
  constructor({ title, partitionKey }: EntityModel<object>, values: object) {
    const { properties } = partitionKey
    const names = isPlainObject(values) ? Object.keys(values) : []
    const first = properties.slice(0, names.length)
    if (names.length === 0 || !first.every((name) => names.includes(name))) {
      const example = properties[0] ?? 'tenant'
      throw invalidOption(
        `within of ${title} needs the first properties of its PartitionKey, such as { ${example}: … }; got { ${names.join(', ')} }.`,
      )
    }
    this.where = Object.freeze({ ...values })
    this.#title = title
    this.#prefix = partitionKey.prefix(values)
    this.#isWhole = names.length === properties.length
    this.condition = this.#isWhole
      ? comparison('PartitionKey', 'eq', literalOf(this.#prefix, 'String'))
      : beginsWith('PartitionKey', this.#prefix)
  }

  /** The range of a shared access signature for these rows. */
  get range(): Pick<TableSasTerms, 'from' | 'to'> {
    const last = this.#isWhole ? this.#prefix : `${this.#prefix}\uffff`
    return { from: { partitionKey: this.#prefix }, to: { partitionKey: last } }
  }

  /**
   * Checks that a row is one of these.
   *
   * @throws InputError (`OutsideWithin`)
   */
  checkKey({ partitionKey }: Pick<EntityKey, 'partitionKey'>): void {
    const isInside = this.#isWhole
      ? partitionKey === this.#prefix
      : partitionKey.startsWith(this.#prefix)
    if (!isInside) throw this.outside(`The PartitionKey ${JSON.stringify(partitionKey)} is outside`)
  }

  /** Makes the error of a call that is about other rows. */
  outside(problem: string): Error {
    const fixed = Object.keys(this.where).join(', ')
    return mapperInputError({
      code: 'OutsideWithin',
      message: `${problem} the rows of ${this.#title} that within({ ${fixed} }) has fixed. Use the table of these rows, or the whole table.`,
      details: { property: 'PartitionKey' },
    })
  }

  /** Returns the fixed properties that an object lacks; `undefined` when it has all. */
  missingIn(given: object): object | undefined {
    const missing = Object.entries(this.where).filter(
      ([name]) => Reflect.get(given, name) === undefined,
    )
    return missing.length === 0 ? undefined : Object.fromEntries(missing)
  }
}
