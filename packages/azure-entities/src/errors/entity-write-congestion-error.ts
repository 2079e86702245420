import { brand, RowkeyError } from '@rowkey/odata'

/** The options of an {@link EntityWriteCongestionError}. */
export interface EntityWriteCongestionErrorOptions {
  /** The table of the row. */
  readonly table: string
  /** The properties as they were read last. */
  readonly originalEntity: object
  /** The properties of the last attempt. */
  readonly modifiedEntity: object
  /** The properties of each attempt before the last one. */
  readonly modifiedEntityAttempts: readonly object[]
  /** The rejection of the last attempt. */
  readonly cause: unknown
}

/** Thrown when the row changed during each of the ten attempts of `modify`. */
export class EntityWriteCongestionError extends RowkeyError {
  static {
    brand(EntityWriteCongestionError, 'rowkey.entityWriteCongestionError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'EntityWriteCongestionError'
  /** What programs branch on. */
  override readonly code = 'EntityWriteCongestionError'
  /** The table of the row. */
  readonly table: string
  /** The properties as they were read last. */
  readonly originalEntity: object
  /** The properties of the last attempt. */
  readonly modifiedEntity: object
  /** The properties of each attempt before the last one. */
  readonly modifiedEntityAttempts: readonly object[]

  constructor(options: EntityWriteCongestionErrorOptions) {
    const { table, originalEntity, modifiedEntity, modifiedEntityAttempts, cause } = options
    const attempts = modifiedEntityAttempts.length + 1
    super({
      message: `The row of table ${table} changed during each of ${attempts} attempts of modify. Modify it less often, or spread its values over several rows.`,
      cause,
    })
    this.table = table
    this.originalEntity = originalEntity
    this.modifiedEntity = modifiedEntity
    this.modifiedEntityAttempts = modifiedEntityAttempts
  }
}
