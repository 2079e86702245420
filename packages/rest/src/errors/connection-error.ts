import { TransportError } from './transport-error.ts'

/** Why no connection came about. */
export type ConnectionFailure = 'closed' | 'dns' | 'refused' | 'timeout' | 'tls' | 'other'

/** What a {@link ConnectionError} is made from. */
export interface ConnectionErrorOptions {
  /** Names host and port, and what to look at. */
  readonly message: string
  /** Why no connection came about. */
  readonly failure: ConnectionFailure
  /** The socket's error, when there is one. */
  readonly cause?: unknown
}

/**
 * Thrown when no connection came about: refused, host not found, TLS failed, or the transport is
 * closed. Nothing of the request left this machine, so it certainly was not applied.
 */
export class ConnectionError extends TransportError {
  /** The name of the class, in minified code too. */
  override readonly name = 'ConnectionError'
  /** What programs branch on. */
  override readonly code = 'ConnectionFailed'

  /** Why no connection came about. */
  readonly failure: ConnectionFailure

  constructor(options: ConnectionErrorOptions) {
    super({ ...options, mayHaveApplied: false })
    this.failure = options.failure
  }
}
