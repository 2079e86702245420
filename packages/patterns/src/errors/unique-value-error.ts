import { brand, type EntityKey, RowkeyError } from '@rowkey/odata'

/** The options of a {@link UniqueValueError}. */
export interface UniqueValueErrorOptions {
  /** The table. */
  readonly table: string
  /** The name of the index. */
  readonly index: string
  /** The properties of the index. */
  readonly properties: readonly string[]
  /** The entity that has the value. */
  readonly owner: EntityKey
}

/**
 * Thrown by a write when another entity of the partition has the value of a unique index. Nothing was
 * stored.
 *
 * @example
 * ```ts
 * try {
 *   await employees.insert(employee)
 * } catch (error) {
 *   if (error instanceof UniqueValueError) show(`${error.properties[0]} is taken`)
 *   else throw error
 * }
 * ```
 */
export class UniqueValueError extends RowkeyError {
  static {
    brand(UniqueValueError, 'rowkey.uniqueValueError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'UniqueValueError'
  /** `UniqueValueTaken`: what programs branch on. */
  override readonly code = 'UniqueValueTaken'
  /** 409, as for a key that is taken. */
  readonly status = 409
  /** The write was not applied. */
  override readonly mayHaveApplied = false
  /** The table. */
  readonly table: string
  /** The name of the index. */
  readonly index: string
  /** The properties of the index; together their values are taken. */
  readonly properties: readonly string[]
  /** The entity that has the value. */
  readonly owner: EntityKey

  /** @param options - the index and the owner of the value */
  constructor({ table, index, properties, owner }: UniqueValueErrorOptions) {
    const names = properties.map((each) => `'${each}'`).join(' and ') || 'its key'
    const key = JSON.stringify([owner.partitionKey, owner.rowKey])
    super({
      message: `The value of ${names} is taken: in table ${table}, the unique index ${index} has it for the entity ${key}. Choose another value. Nothing was stored.`,
    })
    this.table = table
    this.index = index
    this.properties = properties
    this.owner = owner
  }
}
