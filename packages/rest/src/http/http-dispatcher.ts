import type { Agent, AgentOptions, ClientRequest, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { type ConnectionSettings, IDLE_TIMEOUT } from './dispatcher-transport.ts'
import type { DispatchedRequest, Exchange, UndiciDispatcher } from './exchange.ts'

/** What a dispatcher uses of `node:http` or `node:https`. */
export interface HttpModule {
  readonly Agent: new (options: AgentOptions) => Agent
  readonly request: (options: RequestOptions) => ClientRequest
}

/** Sends requests to one host by `node:http` or `node:https`, over connections that are kept alive. */
export class HttpDispatcher implements UndiciDispatcher {
  readonly #agent: Agent
  readonly #request: HttpModule['request']
  readonly #host: Pick<RequestOptions, 'agent' | 'hostname' | 'port'>
  readonly #connectTimeout: number
  readonly #pending = new Set<ClientRequest>()
  #whenIdle: (() => void) | undefined

  /**
   * @param origin - scheme, host and port
   * @param http - the module of Node for the scheme
   * @param settings - how to connect
   */
  constructor(origin: string, { Agent, request }: HttpModule, settings: ConnectionSettings) {
    const { connections, connectTimeout } = settings
    const { hostname, port } = urlToHttpOptions(new URL(origin))
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_TIMEOUT })
    this.#host = { agent: this.#agent, hostname, port }
    this.#request = request
    this.#connectTimeout = connectTimeout
  }

  /** The number of requests without a whole response. */
  get pending(): number {
    return this.#pending.size
  }

  dispatch({ method, path, headers, body }: DispatchedRequest, handler: Exchange): boolean {
    const outgoing = this.#request({
      ...this.#host,
      method,
      path,
      // Node gives the body of a DELETE no length by itself.
      headers: body === null ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      joinDuplicateHeaders: true,
    })
    this.#pending.add(outgoing)
    outgoing.once('close', () => {
      this.#pending.delete(outgoing)
      if (this.#pending.size === 0) this.#whenIdle?.()
    })
    report(outgoing, handler, this.#connectTimeout)
    outgoing.end(body)
    return true
  }

  /** Closes the connections when the requests on them have ended. */
  async close(): Promise<void> {
    if (this.#pending.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
    this.destroy()
  }

  /** Closes the connections at once. */
  destroy(): void {
    for (const outgoing of this.#pending) outgoing.destroy()
    this.#agent.destroy()
    this.#whenIdle?.()
  }
}

/** Tells the handler of a request what happens to it, as undici would. */
function report(outgoing: ClientRequest, handler: Exchange, connectTimeout: number): void {
  const controller = { abort: (reason: Error) => void outgoing.destroy(reason) }
  const fail = (error: Error): void => handler.onResponseError(controller, error)
  outgoing.once('socket', (socket) => {
    whenConnected(socket, connectTimeout, () => handler.onRequestStart(controller))
  })
  outgoing.once('response', (response) => {
    handler.onResponseStart(controller, response.statusCode ?? 0, response.headers)
    response.on('data', (chunk: Buffer) => handler.onResponseData(controller, chunk))
    response.once('end', () => handler.onResponseEnd())
    response.on('error', fail)
  })
  outgoing.on('error', fail)
}

/** Calls a function as soon as bytes can be sent. Until then, the socket keeps what is written to it. */
function whenConnected(socket: Socket, timeout: number, start: () => void): void {
  const isTls = 'secureConnecting' in socket
  if (isTls ? !socket.secureConnecting : !socket.connecting) {
    start()
    return
  }
  const timer = setTimeout(() => socket.destroy(connectTimedOut()), timeout)
  socket.once('close', () => clearTimeout(timer))
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer)
    start()
  })
}

function connectTimedOut(): Error {
  return Object.assign(new Error('The connection timed out.'), { code: 'ETIMEDOUT' })
}
