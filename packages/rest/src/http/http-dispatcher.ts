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

/** Sends requests by `node:http` or `node:https`, over connections that are kept alive. */
export class HttpDispatcher implements UndiciDispatcher {
  readonly #agent: Agent
  readonly #request: HttpModule['request']
  readonly #connectTimeout: number
  readonly #pending = new Set<ClientRequest>()
  #whenIdle: (() => void) | undefined

  /**
   * @param http - the module of Node
   * @param settings - how to connect
   */
  constructor({ Agent, request }: HttpModule, { connections, connectTimeout }: ConnectionSettings) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_TIMEOUT })
    this.#request = request
    this.#connectTimeout = connectTimeout
  }

  /** The number of requests without a whole response. */
  get pending(): number {
    return this.#pending.size
  }

  dispatch({ method, origin, path, headers, body }: DispatchedRequest, handler: Exchange): boolean {
    const { hostname, port } = urlToHttpOptions(new URL(origin))
    const outgoing = this.#request({
      agent: this.#agent,
      hostname,
      port,
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
