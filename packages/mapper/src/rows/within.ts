import {
  beginsWith,
  comparison,
  type EntityKey,
  type FilterNode,
  invalidOption,
  literalOf,
} from '@rowkey/odata'
import type { QueryModel } from '@rowkey/query'
import type { TableSasOptions } from '@rowkey/rest'
import { mapperInputError } from '../errors/codes.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { EntityModel } from '../model/entity-model.ts'
import type { RowRule } from '../model/row-rule.ts'
import { isPlainObject } from '../place/same-value.ts'

/** The types of a table whose keys have fixed properties. */
interface WithinTypes {
  /** Names them in messages. */
  readonly title: string
  readonly models: readonly EntityModel<object>[]
  readonly queryModel: QueryModel
}

/** The rows of a table whose keys have fixed properties. */
export class Within implements RowRule {
  readonly names: readonly string[] = []
  /** The fixed properties. */
  readonly values: Readonly<Record<string, unknown>>
  readonly where: object
  /** The condition that the rows meet, whatever type they have. */
  readonly condition: FilterNode
  /** What the PartitionKeys of the rows begin with. */
  readonly beginning: string
  /** Whether the rows are in one partition, whose PartitionKey is the beginning. */
  readonly isOne: boolean
  readonly #title: string

  /**
   * @param of - the models of the table, and what queries may ask about them
   * @param values - the first properties of their PartitionKeys
   * @throws InputError (`InvalidOptionValue`) for other properties, and (`InvalidKeyPart`) for values that the key rejects
   */
  constructor({ title, models, queryModel }: WithinTypes, values: object) {
    const [first, ...others] = models.map(({ partitionKey }) => partitionKey) as [KeyCodec]
    const { properties } = first
    const names = isPlainObject(values) ? Object.keys(values) : []
    const fixed = properties.slice(0, names.length)
    if (names.length === 0 || !fixed.every((name) => names.includes(name))) {
      const example = properties[0] ?? 'tenant'
      throw invalidOption(
        `within of ${title} needs the first properties of its PartitionKey, such as { ${example}: … }; got { ${names.join(', ')} }.`,
      )
    }
    this.values = Object.freeze({ ...values })
    this.#title = title
    this.beginning = first.prefix(values)
    this.isOne = names.length === properties.length
    const isOther = (other: KeyCodec) =>
      !names.every((name) => other.properties.slice(0, names.length).includes(name)) ||
      other.prefix(values) !== this.beginning ||
      (other.properties.length === names.length) !== this.isOne
    if (others.some(isOther)) {
      throw invalidOption(
        `within of ${title} needs types whose PartitionKeys begin with the same texts for { ${names.join(', ')} }. Use ofType(…).within(…).`,
      )
    }
    this.condition = this.isOne
      ? comparison('PartitionKey', 'eq', literalOf(this.beginning, 'String'))
      : beginsWith('PartitionKey', this.beginning)
    // Types that share no template have no condition on its properties.
    const isShared = others.length === 0 || queryModel.keys?.partitionKey !== undefined
    const areKnown = names.every((name) => queryModel.column(name) !== undefined)
    this.where = isShared && areKnown ? this.values : this.condition
  }

  /** The range of a shared access signature for these rows. */
  get range(): Pick<TableSasOptions, 'from' | 'to'> {
    const last = this.isOne ? this.beginning : `${this.beginning}\uffff`
    return { from: { partitionKey: this.beginning }, to: { partitionKey: last } }
  }

  /**
   * Checks that a row is one of these.
   *
   * @throws InputError (`OutsideWithin`)
   */
  checkKey({ partitionKey }: Pick<EntityKey, 'partitionKey'>): void {
    const isInside = this.isOne
      ? partitionKey === this.beginning
      : partitionKey.startsWith(this.beginning)
    if (!isInside) throw this.outside(`The PartitionKey ${JSON.stringify(partitionKey)} is outside`)
  }

  /** Makes the error of a call that is about other rows. */
  outside(problem: string): Error {
    const fixed = Object.keys(this.values).join(', ')
    return mapperInputError({
      code: 'OutsideWithin',
      message: `${problem} the rows of ${this.#title} that within({ ${fixed} }) has fixed. Use the table of these rows, or the whole table.`,
      details: { property: 'PartitionKey' },
    })
  }

  /** Returns the fixed properties that an object lacks; `undefined` when it has all. */
  missingIn(given: object): object | undefined {
    const missing = Object.entries(this.values).filter(
      ([name]) => Reflect.get(given, name) === undefined,
    )
    return missing.length === 0 ? undefined : Object.fromEntries(missing)
  }

  /** Returns what has the key of an object; the object stays as it is. */
  shown<Entity extends object>(entity: Entity): Entity {
    const missing = this.missingIn(entity)
    if (missing === undefined) return entity
    const base = isPlainObject(entity) ? { ...entity } : Object.create(entity)
    return Object.assign(base, missing)
  }
}
