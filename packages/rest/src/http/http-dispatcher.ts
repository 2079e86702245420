import type { Agent, AgentOptions, ClientRequest, RequestOptions } from 'node:http'
import type { LookupFunction, Socket } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { type ConnectionSettings, IDLE_TIMEOUT } from './dispatcher-transport.ts'
import type { DispatchedRequest, Exchange, UndiciDispatcher } from './exchange.ts'

/** How sockets connect. */
export interface SocketSettings extends ConnectionSettings {
  /**
   * Looks up the address of a host.
   *
   * @defaultValue that of Node
   */
  readonly lookup?: LookupFunction | undefined
}

/** What a dispatcher uses of `node:http` or `node:https`. */
export interface HttpModule {
  readonly Agent: new (options: AgentOptions & { readonly lookup?: LookupFunction }) => Agent
  readonly request: (options: RequestOptions) => ClientRequest
}

/** Sends requests to one host by `node:http` or `node:https`, over connections that are kept alive. */
export class HttpDispatcher implements UndiciDispatcher {
  readonly #agent: Agent
  readonly #request: HttpModule['request']
  readonly #host: Pick<RequestOptions, 'agent' | 'hostname' | 'port' | 'protocol'>
  readonly #settings: SocketSettings
  readonly #sent = new Set<ClientRequest>()
  /** Requests without a connection. Those of the agent could not be removed. */
  #waiting: WaitingRequest[] = []
  #closing: Promise<void> | undefined
  #whenIdle: (() => void) | undefined

  /**
   * @param origin - scheme, host and port
   * @param http - the module of Node for the scheme
   * @param settings - how to connect
   */
  constructor(origin: string, { Agent, request }: HttpModule, settings: SocketSettings) {
    const { protocol, hostname, port } = urlToHttpOptions(new URL(origin))
    const maxSockets = settings.connections
    const lookup = settings.lookup && { lookup: settings.lookup }
    this.#agent = new Agent({ keepAlive: true, maxSockets, timeout: IDLE_TIMEOUT, ...lookup })
    this.#host = { agent: this.#agent, protocol, hostname, port }
    this.#request = request
    this.#settings = settings
  }

  /** The number of requests without a whole response. */
  get pending(): number {
    return this.#sent.size + this.#waiting.length
  }

  dispatch(request: DispatchedRequest, handler: Exchange): boolean {
    if (this.#sent.size < this.#settings.connections) this.#send({ request, handler })
    else this.#waiting.push({ request, handler })
    return true
  }

  #send({ request: { method, path, headers, body }, handler }: WaitingRequest): void {
    const outgoing = this.#request({
      ...this.#host,
      method,
      path,
      // Node gives the body of a DELETE no length by itself.
      headers: body === null ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      joinDuplicateHeaders: true,
    })
    this.#sent.add(outgoing)
    outgoing.once('close', () => {
      this.#sent.delete(outgoing)
      this.#sendNext()
      if (this.#sent.size === 0) this.#whenIdle?.()
    })
    report(outgoing, handler, this.#settings.connectTimeout)
    outgoing.end(body)
  }

  /** Sends the next request that waits, if its caller still wants it. */
  #sendNext(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.handler.isSettled) continue
      try {
        this.#send(next)
        return
      } catch (error) {
        next.handler.onResponseError(undefined, error as Error)
      }
    }
  }

  /** Closes the connections when the requests on them have ended. */
  close(): Promise<void> {
    this.#closing ??= this.#closeWhenIdle()
    return this.#closing
  }

  async #closeWhenIdle(): Promise<void> {
    if (this.#sent.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
    this.destroy()
  }

  /** Closes the connections at once. */
  destroy(): void {
    this.#waiting = []
    for (const outgoing of this.#sent) outgoing.destroy()
    this.#agent.destroy()
    this.#whenIdle?.()
  }
}

/** A request that waits for a connection. */
interface WaitingRequest {
  readonly request: DispatchedRequest
  readonly handler: Exchange
}

/** Tells the handler of a request what happens to it, as undici would. */
function report(outgoing: ClientRequest, handler: Exchange, connectTimeout: number): void {
  const controller = { abort: (reason: Error) => void outgoing.destroy(reason) }
  const fail = (error: Error): void => handler.onResponseError(controller, error)
  // After a response of status 101, it comes without an error.
  const lost = (): void => fail(errorOf('ECONNRESET', 'The connection was closed.'))
  outgoing.once('close', lost)
  outgoing.once('socket', (socket) => {
    whenConnected(socket, connectTimeout, () => handler.onRequestStart(controller))
  })
  outgoing.once('response', (response) => {
    outgoing.off('close', lost)
    handler.onResponseStart(controller, response.statusCode ?? 0, response.headers)
    response.on('data', (chunk: Buffer) => handler.onResponseData(controller, chunk))
    response.once('end', () => {
      handler.onResponseEnd()
      // The server does not read the rest of the request, so no other can follow it.
      if (!outgoing.writableFinished) outgoing.destroy()
    })
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
  const timer = setTimeout(
    () => socket.destroy(errorOf('ETIMEDOUT', 'The connection timed out.')),
    timeout,
  )
  socket.once('close', () => clearTimeout(timer))
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer)
    start()
  })
}

function errorOf(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
