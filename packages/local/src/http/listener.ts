import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpRequest, HttpResponse } from '@rowkey/rest'
import { ListenError } from '../errors/listen-error.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { checkHead } from './check-head.ts'
import { clientAddress } from './client-address.ts'
import { readBody } from './read-body.ts'
import { readRequestHead } from './read-request-head.ts'

/** The service, as a listener needs it. */
export interface Responder {
  /**
   * The answer to a request; never rejects.
   *
   * @param address - the client's IP address
   */
  answer(request: HttpRequest, address: string): Promise<HttpResponse>
  /** The answer to a request that the listener itself refuses. */
  refuse(request: HttpRequest, fault: ServiceFault): HttpResponse
}

/** Where to listen. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** Bytes of a request's head; a long `$filter` stands in it. */
const MAX_HEAD_SIZE = 65_536

/** Longer than clients keep idle sockets, so that none is closed while a request is on its way. */
const KEEP_ALIVE = 120_000

/** Serves a {@link Responder} over HTTP. */
export class Listener {
  readonly #server: Server
  readonly #responder: Responder
  readonly #answering = new Set<ServerResponse>()

  private constructor(responder: Responder) {
    this.#responder = responder
    this.#server = createServer(
      { maxHeaderSize: MAX_HEAD_SIZE, keepAliveTimeout: KEEP_ALIVE },
      (message, response) => this.#serve(message, response),
    )
  }

  /** @throws ListenError when the port is taken or the address is not this machine's */
  static async start(responder: Responder, address: ListenAddress): Promise<Listener> {
    const listener = new Listener(responder)
    await listener.#listen(address)
    return listener
  }

  /** The port that it listens on. */
  get port(): number {
    // A server that listens on TCP has an address of this form; on a pipe it would be text.
    return (this.#server.address() as AddressInfo).port
  }

  /** Takes no more requests, answers those it has, and closes every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    await Promise.all([...this.#answering].map((response) => once(response, 'close')))
    this.#server.closeAllConnections()
    await closed
  }

  #listen({ host, port }: ListenAddress): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) => reject(new ListenError({ host, port, cause }))
      this.#server.once('error', fail)
      try {
        this.#server.listen(port, host, resolve)
      } catch (cause) {
        fail(cause as Error)
      }
    })
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      writeResponse(await this.#answer(message, response), response)
    } catch {
      // The client went away before it had sent its request: nobody is left to answer.
      response.destroy()
    }
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<HttpResponse> {
    const request = readRequestHead(message)
    try {
      checkHead(message, request)
      const body = await readBody(message)
      // From here on there is something to lose when the listener closes.
      this.#answering.add(response)
      response.once('close', () => this.#answering.delete(response))
      return await this.#responder.answer(
        { ...request, body: body === '' ? undefined : body },
        clientAddress(message.socket),
      )
    } catch (error) {
      if (error instanceof ServiceFault) return this.#responder.refuse(request, error)
      throw error
    }
  }
}

function writeResponse({ status, headers, body }: HttpResponse, response: ServerResponse): void {
  // A body that was refused half-way would otherwise go on arriving for as long as the client likes.
  if (!response.req.complete) response.setHeader('connection', 'close')
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
