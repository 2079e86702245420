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

/** What to do about it, by what the system says. */
const ADVICE: ReadonlyMap<unknown, string> = new Map([
  ['EADDRNOTAVAIL', 'Give an address of this machine, such as 127.0.0.1.'],
  ['ENOTFOUND', 'Give an address of this machine, such as 127.0.0.1.'],
  ['EACCES', 'Give a port from 1024 on, or the process the right to listen on this one.'],
])

const FREE_PORT = 'Free the port or give another; port 0 takes any that is free.'

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
