import { InputError } from './input-error.ts'
import { isRowkeyError, RowkeyError, type RowkeyErrorOptions } from './rowkey-error.ts'

/** Where the unreadable part of a response is. */
export interface DecodeErrorDetails {
  /** The table, as it was addressed. */
  readonly table?: string | undefined
  /** PartitionKey of the row. */
  readonly partitionKey?: string | undefined
  /** RowKey of the row. */
  readonly rowKey?: string | undefined
  /** The property, by its stored name, or class and property: `Customer.address`. */
  readonly property?: string | undefined
  /** Why an encrypted value or a signed entity was rejected. */
  readonly reason?:
    | 'plaintext'
    | 'unsigned'
    | 'malformed'
    | 'unknownKey'
    | 'tampered'
    | 'partial'
    | undefined
  /** The id of the key that an encrypted value or a signature names. */
  readonly keyId?: string | undefined
  /** The version of the row, where no known version of the model can read it. */
  readonly storedVersion?: number | undefined
}

/** The options of a {@link DecodeError}. */
export interface DecodeErrorOptions extends RowkeyErrorOptions {
  /**
   * A literal that names the kind of failure, such as `UnreadableVersion`.
   *
   * @defaultValue `'UnexpectedResponse'`
   */
  readonly code?: string | undefined
  /**
   * Whether the service may have applied the request.
   *
   * @defaultValue `false`
   */
  readonly mayHaveApplied?: boolean | undefined
  /** Where the unreadable part is. */
  readonly details?: DecodeErrorDetails | undefined
}

/**
 * Thrown when a response cannot be read: it is not what the protocol allows, or a row in it does not
 * fit its model. A proxy between here and the service is a common cause of the first, a row that
 * another program wrote of the second. `code` tells which, and `details` where.
 */
export class DecodeError extends RowkeyError {
  /** The name of the class, in minified code too. */
  override readonly name: string = 'DecodeError'
  /** The kind of failure. */
  readonly code: string
  /** Whether the service may have applied the request. Always `false` for a read. */
  override readonly mayHaveApplied: boolean
  /** Where the unreadable part is. */
  readonly details: DecodeErrorDetails

  constructor(options: DecodeErrorOptions) {
    super(options)
    this.code = options.code ?? 'UnexpectedResponse'
    this.mayHaveApplied = options.mayHaveApplied ?? false
    this.details = options.details ?? {}
  }
}

/** Which row could not be read. */
export interface UnreadableRow {
  /** The table, as it was addressed; absent where it is not known. */
  readonly table?: string | undefined
  /** PartitionKey of the row. */
  readonly partitionKey: string
  /** RowKey of the row. */
  readonly rowKey: string
}

/**
 * Makes the error for a row that cannot be read, from what reading it threw: it names the table and the
 * key, and keeps the code and the property.
 *
 * @param thrown - what reading the row threw; a DecodeError that names its row is returned as it is
 * @param row - the row
 *
 * @example
 * ```ts
 * try {
 *   return codec.read(raw)
 * } catch (thrown) {
 *   throw unreadableRow(thrown, { table: 'people', partitionKey: 'Smith', rowKey: 'Jeff' })
 * }
 * ```
 */
export function unreadableRow(thrown: unknown, row: UnreadableRow): DecodeError {
  const known = thrown instanceof DecodeError ? thrown : undefined
  if (known?.details.rowKey !== undefined) return known
  const { table, partitionKey, rowKey } = row
  const place = JSON.stringify([partitionKey, rowKey]) + (table ? ` of table ${table}` : '')
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  return new DecodeError({
    code: isRowkeyError(thrown) ? thrown.code : 'UnreadableRow',
    message: `${reason} (entity ${place})`,
    cause: known === undefined ? thrown : known.cause,
    details: { ...known?.details, table, partitionKey, rowKey, property: propertyOf(thrown) },
  })
}

/** Errors of other packages may name the property in a field of their own. */
function propertyOf(thrown: unknown): string | undefined {
  if (thrown instanceof DecodeError || thrown instanceof InputError) {
    if (thrown.details.property !== undefined) return thrown.details.property
  }
  const isNamed = isRowkeyError(thrown) && 'property' in thrown
  return isNamed && typeof thrown.property === 'string' ? thrown.property : undefined
}
