import { brand, RowkeyError } from '@rowkey/odata'

/** Why no connection came about; `'proxy'` when a proxy rejected it. */
export type ConnectionFailure =
  | 'closed'
  | 'cors'
  | 'dns'
  | 'proxy'
  | 'refused'
  | 'timeout'
  | 'tls'
  | 'other'

/** The codes of a {@link TransportError}. */
export type TransportErrorCode =
  | 'AccountClosed'
  | 'AttemptTimeout'
  | 'ConnectionFailed'
  | 'CredentialUnavailable'
  | 'TransportFailed'

/** The options of a {@link TransportError}. */
export interface TransportErrorOptions {
  /**
   * The message: the request, its address, and how it failed. Never contains a key, a signature
   * or a SAS.
   */
  readonly message: string
  /**
   * The kind of failure.
   *
   * @defaultValue `'TransportFailed'`
   */
  readonly code?: TransportErrorCode | undefined
  /** Whether the service may have applied the request. */
  readonly mayHaveApplied: boolean
  /** Why no connection came about; or `'closed'` when the transport was closed meanwhile. */
  readonly failure?: ConnectionFailure | undefined
  /** The error of the socket or of the credential. */
  readonly cause?: unknown
}

/**
 * Thrown when no whole response arrived.
 *
 * | code | what happened |
 * |---|---|
 * | `TransportFailed` | the connection broke before the whole response had arrived |
 * | `AttemptTimeout` | the attempt took longer than its `timeout` |
 * | `AccountClosed` | the call began after `close()` of its account. Nothing was sent |
 * | `ConnectionFailed` | no connection came about; `failure` says why. Nothing was sent |
 * | `CredentialUnavailable` | the source of tokens returned none or failed. Nothing was sent |
 *
 * A write may have been applied although its response was lost; `mayHaveApplied` says so.
 */
export class TransportError extends RowkeyError {
  static {
    brand(TransportError, 'rowkey.transportError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'TransportError'
  /** The kind of failure. */
  readonly code: TransportErrorCode
  /** Whether the service may have applied the request. Always `false` for a read. */
  override readonly mayHaveApplied: boolean
  /** Why no connection came about; or `'closed'` when the transport was closed meanwhile. */
  readonly failure: ConnectionFailure | undefined
  /** How many attempts were made, the last one included. */
  attempts = 1

  constructor(options: TransportErrorOptions) {
    super(options)
    this.code = options.code ?? 'TransportFailed'
    this.mayHaveApplied = options.mayHaveApplied
    this.failure = options.failure
  }
}

/**
 * Ends the message of an error: says that a write may have been applied.
 *
 * @param mayHaveApplied - whether it may have been; otherwise the text is empty
 */
export function doubtOf(mayHaveApplied: boolean): string {
  return mayHaveApplied ? ' The outcome is unknown: it may have been applied.' : ''
}

/**
 * Makes the error of a source of tokens that returned none, or failed. Nothing was sent.
 *
 * @param message - what went wrong
 * @param options - `cause`: the error of the source
 */
export function credentialUnavailable(
  message: string,
  options: { readonly cause?: unknown } = {},
): TransportError {
  const code = 'CredentialUnavailable'
  return new TransportError({ code, message, mayHaveApplied: false, ...options })
}
