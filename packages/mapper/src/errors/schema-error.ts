import { type EntityKey, InputError } from '@rowkey/odata'

/** One value that a schema does not take. */
export interface SchemaIssue {
  /** The property, and the place in its value: `total`; empty when it is about the whole entity. */
  readonly path: string
  /** The rule that is broken, as the schema says it. */
  readonly message: string
}

/** What a {@link SchemaError} is made from. */
export interface SchemaErrorOptions {
  /** The model whose schema it is. */
  readonly model: string
  /** What was to be done: `written` or `read`. */
  readonly action: 'written' | 'read'
  /** The key of the entity; absent when its values make none. */
  readonly key?: EntityKey | undefined
  /** The table of the entity, where it is known. */
  readonly table?: string | undefined
  /** What the schema does not take. */
  readonly issues: readonly SchemaIssue[]
}

/**
 * Thrown when an entity does not match the schema of its model: before it is written, and after it was
 * read by a model that reads strictly.
 */
export class SchemaError extends InputError {
  /** `SchemaError`. */
  override readonly name = 'SchemaError'
  /** `SchemaMismatch`: what programs branch on. */
  override readonly code = 'SchemaMismatch'
  /** The model whose schema it is. */
  readonly model: string
  /** What the schema does not take, one for each place. */
  readonly issues: readonly SchemaIssue[]

  constructor({ model, action, issues, key, table }: SchemaErrorOptions) {
    const places = issues.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    )
    const place = key === undefined ? 'An entity' : JSON.stringify([key.partitionKey, key.rowKey])
    const within = table === undefined ? '' : ` (table ${table})`
    super({
      message: `${place} of ${model} cannot be ${action}, since its schema rejects it. ${places.join('; ')}.${within}`,
      details: { ...key, ...(table !== undefined && { table }) },
    })
    this.model = model
    this.issues = issues
  }
}
