import { brand, type EntityKey, InputError } from '@rowkey/odata'
import { keyText } from './compose-errors.ts'

/** One value that a schema rejects. */
export interface SchemaIssue {
  /** The property and the place in its value, such as `total`; empty for the whole entity. */
  readonly path: string
  /** The message of the schema. */
  readonly message: string
}

/** The options of a {@link SchemaError}. */
export interface SchemaErrorOptions {
  /** The model with the schema. */
  readonly model: string
  /** The action that failed. */
  readonly action: 'written' | 'read'
  /** The key of the entity; absent when its values do not form a key. */
  readonly key?: EntityKey | undefined
  /** The table of the entity, if it is known. */
  readonly table?: string | undefined
  /** The issues of the schema. */
  readonly issues: readonly SchemaIssue[]
}

/**
 * Thrown when an entity does not match the schema of its model, before it is written. A strict read throws a
 * `DecodeError` with the same code.
 */
export class SchemaError extends InputError {
  static {
    brand(SchemaError, 'rowkey.schemaError')
  }

  /** `SchemaError`. */
  override readonly name = 'SchemaError'
  /** `SchemaMismatch`: what programs branch on. */
  override readonly code = 'SchemaMismatch'
  /** The model with the schema. */
  readonly model: string
  /** The issues of the schema, one for each place. */
  readonly issues: readonly SchemaIssue[]

  constructor({ model, action, issues, key, table }: SchemaErrorOptions) {
    const places = issues.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    )
    const place = key === undefined ? 'An entity' : keyText(key)
    const within = table === undefined ? '' : ` (table ${table})`
    super({
      message: `${place} of ${model} cannot be ${action}, because its schema rejects it. ${places.join('; ')}.${within}`,
      details: { ...key, ...(table !== undefined && { table }) },
    })
    this.model = model
    this.issues = issues
  }
}
