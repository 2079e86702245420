import { checkOptions, TransportError } from '@rowkey/rest'
import { invalidOption } from '../errors/invalid-option.ts'
import { type ListenOptions, readHostNames, readListenLimits } from './listen-options.ts'
import { Listener, type ListenerSettings, type Responder } from './listener.ts'

const OPTIONS = ['port', 'host', 'hosts', 'limits'] as const
const DEFAULT_PORT = 10_002
const LAST_PORT = 65_535
const DEFAULT_HOST = '127.0.0.1'

/** A listener that was started. */
interface StartedListener {
  /** The address or host name of its options. */
  readonly host: string
  /** The TCP port. */
  readonly port: number
  /** Sends the pending responses, accepts no more requests, and frees the port. */
  close(): Promise<void>
}

/** The listeners of one service. After it is closed, no listener can be started. */
export class Listeners {
  readonly #responder: Responder
  readonly #open = new Set<Listener>()
  #isClosed = false

  /** @param responder - the service */
  constructor(responder: Responder) {
    this.#responder = responder
  }

  /**
   * Starts one more listener.
   *
   * @throws {@link ListenError} when the port is taken or the address is not one of this machine
   * @throws TransportError (`ConnectionFailed`) when the service is closed, or closes in the meantime
   * @throws InputError for an unknown option or an invalid value
   */
  async start(options: ListenOptions): Promise<StartedListener> {
    const settings = readSettings(options)
    this.#checkOpen()
    const listener = await Listener.start(this.#responder, settings)
    if (this.#isClosed) await listener.close()
    this.#checkOpen()
    this.#open.add(listener)
    return { host: settings.host, port: listener.port, close: () => listener.close() }
  }

  /** Closes all listeners. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(Array.from(this.#open, (listener) => listener.close()))
  }

  #checkOpen(): void {
    if (!this.#isClosed) return
    throw new TransportError({
      code: 'ConnectionFailed',
      message:
        'The embedded service cannot listen: it is closed. Make a new one with localTableService().',
      failure: 'closed',
      mayHaveApplied: false,
    })
  }
}

function readSettings(options: ListenOptions): ListenerSettings {
  checkOptions(options, OPTIONS, 'listen')
  const { host = DEFAULT_HOST, port = DEFAULT_PORT, hosts, limits } = options
  if (typeof host !== 'string' || host === '') {
    throw invalidOption({
      name: 'host of listen',
      value: host,
      rule: 'an address or a host name',
    })
  }
  // Node takes text for the name of a pipe.
  if (!Number.isInteger(port) || port < 0 || port > LAST_PORT) {
    throw invalidOption({
      name: 'port of listen',
      value: port,
      rule: `a whole number from 0 to ${LAST_PORT}; 0 takes a free one`,
    })
  }
  return { host, port, limits: readListenLimits(limits), hosts: readHostNames(hosts) }
}
