import { brand } from './brand.ts'
import { RowkeyError, type RowkeyErrorOptions } from './rowkey-error.ts'

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
  static {
    brand(DecodeError, 'rowkey.decodeError')
  }

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
