import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a proxy does to one request: before it reaches the service, after the service has applied it, or both. */
export const socketFaults = [
  // Closes the connection with a reset, or in order; the service does not get the request.
  'reset before',
  'close before',
  // Does the same when the service has applied the request.
  'reset after',
  'close after',
  // Sends half of the response, and closes the connection.
  'cut after',
  // Sends no response; the service has applied the request.
  'silent after',
  // Passes the request on when the client has given up.
  'delivered late',
  // Sends the response after a while, or byte by byte.
  'late response',
  'slow body',
  // Sends the request twice, and passes on the second response.
  'sent twice',
  // Sends another response: instead of the request, or instead of the service's response.
  'busy',
  'throttled',
  'failing before',
  'failing after',
  'gateway after',
  'page after',
] as const

/** One of them. */
export type SocketFault = (typeof socketFaults)[number]

/** A request as the proxy received it. */
export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A response of the service. */
export interface ProxiedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The parts of a proxy. */
export interface FaultProxyOptions {
  /** The origin of the service. */
  readonly target: string
  /** Chooses the fault of each request; `undefined` lets it pass. */
  readonly choose: (request: ProxiedRequest) => Promise<SocketFault | undefined>
  /** Receives what the service responded, in that order. */
  readonly onServed?: (request: ProxiedRequest, response: ProxiedResponse) => void
  /** Milliseconds until a late response or a late delivery. */
  readonly lateness?: number
  /** The TCP port; any that is free when absent. */
  readonly port?: number
}

/** A proxy in front of a table service, with faults on real sockets. */
export interface FaultProxy {
  readonly origin: string
  /** How often each fault happened. */
  readonly fired: ReadonlyMap<SocketFault, number>
  /** How many connections of clients are open. */
  connections(): Promise<number>
  close(): Promise<void>
}

function rejection(status: number, code: string): ProxiedResponse {
  const headers = { 'content-type': 'application/json' }
  const body = `{"odata.error":{"code":"${code}","message":{"lang":"en-US","value":"No."}}}`
  return { status, headers, body }
}

/** What the proxy responds by itself, without the service. */
const INSTEAD_OF_REQUEST: Partial<Record<SocketFault, ProxiedResponse>> = {
  busy: rejection(503, 'ServerBusy'),
  throttled: rejection(429, 'TooManyRequests'),
  'failing before': rejection(500, 'InternalError'),
}

/** What the proxy responds when the service has applied the request. */
const INSTEAD_OF_RESPONSE: Partial<Record<SocketFault, ProxiedResponse>> = {
  'failing after': rejection(500, 'OperationTimedOut'),
  'gateway after': { status: 503, headers: {}, body: '<html>' },
  'page after': { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in' },
}

/** Starts a proxy on this machine. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true })
  const fired = new Map<SocketFault, number>()
  const proxy = new ProxyLine(options, agent)
  const server = createServer(async (incoming, outgoing) => {
    try {
      const request = await readRequest(incoming)
      const fault = await options.choose(request)
      if (fault !== undefined) fired.set(fault, (fired.get(fault) ?? 0) + 1)
      await proxy.respond(request, fault, outgoing)
    } catch {
      outgoing.socket?.destroy()
    }
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    fired,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      proxy.end()
      agent.destroy()
    },
  }
}

/** Passes requests on, with faults. */
class ProxyLine {
  readonly #options: FaultProxyOptions
  readonly #agent: Agent
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(options: FaultProxyOptions, agent: Agent) {
    this.#options = options
    this.#agent = agent
  }

  async respond(
    request: ProxiedRequest,
    fault: SocketFault | undefined,
    outgoing: ServerResponse,
  ): Promise<void> {
    const instead = fault && INSTEAD_OF_REQUEST[fault]
    if (instead !== undefined) {
      send(outgoing, instead)
    } else if (fault === 'reset before') {
      outgoing.socket?.resetAndDestroy()
    } else if (fault === 'close before') {
      outgoing.socket?.destroy()
    } else if (fault === 'delivered late') {
      this.#later(() => void this.#serve(request).catch(() => {}))
    } else {
      if (fault === 'sent twice') await this.#serve(request)
      this.#respondAfter(fault, await this.#serve(request), outgoing)
    }
  }

  /** Forgets what waits. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #respondAfter(
    fault: SocketFault | undefined,
    response: ProxiedResponse,
    outgoing: ServerResponse,
  ): void {
    switch (fault) {
      case 'reset after':
        outgoing.socket?.resetAndDestroy()
        break
      case 'close after':
        outgoing.socket?.destroy()
        break
      case 'silent after':
        break
      case 'cut after':
        cut(outgoing, response)
        break
      case 'late response':
        this.#later(() => send(outgoing, response))
        break
      case 'slow body':
        this.#drip(outgoing, response)
        break
      default:
        send(outgoing, (fault && INSTEAD_OF_RESPONSE[fault]) ?? response)
    }
  }

  async #serve(request: ProxiedRequest): Promise<ProxiedResponse> {
    const { target, onServed } = this.#options
    const response = await forward(target, request, this.#agent)
    onServed?.(request, response)
    return response
  }

  #later(work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, this.#options.lateness ?? 100)
    this.#timers.add(timer)
  }

  /** Sends the head at once, and then the body in small parts. */
  #drip(outgoing: ServerResponse, { status, headers, body }: ProxiedResponse): void {
    outgoing.writeHead(status, sizedHeaders(headers, status, body))
    const bytes = Buffer.from(body)
    const step = Math.ceil(bytes.length / 4) || 1
    const next = (from: number): void => {
      if (from >= bytes.length) {
        outgoing.end()
        return
      }
      outgoing.write(bytes.subarray(from, from + step))
      this.#later(() => next(from + step))
    }
    next(0)
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ProxiedRequest> {
  const { method = '', url = '', headers } = incoming
  return { method, path: url, headers, body: await textOf(incoming) }
}

async function forward(
  target: string,
  { method, path, headers, body }: ProxiedRequest,
  agent: Agent,
): Promise<ProxiedResponse> {
  const { hostname, port } = new URL(target)
  const sent = sendRequest({ host: hostname, port, method, path, headers, agent })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await textOf(response),
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function send(outgoing: ServerResponse, { status, headers, body }: ProxiedResponse): void {
  if (outgoing.destroyed) return
  outgoing.writeHead(status, sizedHeaders(headers, status, body)).end(body)
}

/** A response without a body is cut in its head. */
function cut(outgoing: ServerResponse, { status, headers, body }: ProxiedResponse): void {
  const { socket } = outgoing
  if (body === '') {
    socket?.end('HTTP/1.1 2')
    return
  }
  outgoing.writeHead(status, sizedHeaders(headers, status, body))
  outgoing.write(body.slice(0, body.length / 2), () => socket?.destroy())
}

function sizedHeaders(
  headers: IncomingHttpHeaders,
  status: number,
  body: string,
): IncomingHttpHeaders {
  const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...others } = headers
  return status === 204 ? others : { ...others, 'content-length': String(Buffer.byteLength(body)) }
}
