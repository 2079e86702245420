import { RowkeyError } from '@rowkey/odata'

/** What a {@link ListenError} is made from. */
export interface ListenErrorOptions {
  /** The address that was asked for. */
  readonly host: string
  /** The port that was asked for. */
  readonly port: number
  /** Why the system refused it. */
  readonly cause: Error
}

/** Thrown when the embedded service cannot listen: the port is taken, or the address is not this machine's. */
export class ListenError extends RowkeyError {
  /** Always `'ListenError'`. */
  override readonly name = 'ListenError'
  /** Always `'ListenFailed'`. */
  override readonly code = 'ListenFailed'
  /** The address that was asked for. */
  readonly host: string
  /** The port that was asked for; 0 asks for any free one. */
  readonly port: number

  constructor(options: ListenErrorOptions) {
    super({
      message: `The embedded service cannot listen on ${options.host}:${options.port} (${options.cause.message}). Free the port or give another; port 0 takes any that is free.`,
      cause: options.cause,
    })
    this.host = options.host
    this.port = options.port
  }
}
