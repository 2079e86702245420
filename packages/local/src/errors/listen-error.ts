import { brand, RowkeyError } from '@rowkey/odata'

/** The options of a {@link ListenError}. */
export interface ListenErrorOptions {
  /** The address that was requested. */
  readonly host: string
  /** The port that was requested. */
  readonly port: number
  /** The error of the system. */
  readonly cause: Error
}

/** What to do, by the code of the system. */
const ADVICE: ReadonlyMap<unknown, string> = new Map([
  ['EADDRNOTAVAIL', 'Give an address of this machine, such as 127.0.0.1.'],
  ['ENOTFOUND', 'Give an address of this machine, such as 127.0.0.1.'],
  ['EACCES', 'Give a port of 1024 or higher, or let the process listen on this one.'],
])

const FREE_PORT = 'Free the port or give another. Port 0 takes a free one.'

/**
 * Thrown when the embedded service cannot listen: the port is taken, or the address is not one of
 * this machine.
 */
export class ListenError extends RowkeyError {
  static {
    brand(ListenError, 'rowkey.listenError')
  }

  /** The name of the class, in minified code too. */
  override readonly name = 'ListenError'
  /** Always `'ListenFailed'`. */
  override readonly code = 'ListenFailed'
  /** The address that was requested. */
  readonly host: string
  /** The port that was requested; 0 means a free one. */
  readonly port: number

  constructor({ host, port, cause }: ListenErrorOptions) {
    const advice = ADVICE.get('code' in cause ? cause.code : undefined) ?? FREE_PORT
    super({
      message: `The embedded service cannot listen on ${host}:${port} (${cause.message}). ${advice}`,
      cause,
    })
    this.host = host
    this.port = port
  }
}
