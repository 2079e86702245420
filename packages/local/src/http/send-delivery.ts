import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Delivery } from '../delivery/delivery.ts'
import { type ServiceResponse, textOf } from '../response/service-response.ts'
import type { Pause } from '../service/local-options.ts'
import { discardRest } from './incoming-request.ts'

/** How a listener waits, and how long. */
interface Waiting {
  /** Waits; ends early when the signal aborts. */
  readonly pause: Pause
  /** Aborts when the listener closes, which ends every wait. */
  readonly closing: AbortSignal
  /** Milliseconds for a client to read its response before it is cut off. */
  readonly timeout: number
}

/** The longest body, in UTF-16 units, that is sent as text. */
const LONG = 65_536

/** Sends a delivery over its connection. */
export async function sendDelivery(
  delivery: Delivery,
  response: ServerResponse,
  waiting: Waiting,
): Promise<void> {
  switch (delivery.kind) {
    case 'whole':
      if (!response.req.complete) return sendEarly(delivery.response, response)
      return sendWhole(delivery.response, response, waiting.timeout)
    case 'late':
      await wait(delivery.delay, response, waiting)
      return sendWhole(delivery.response, response, waiting.timeout)
    case 'paused': {
      const rest = sendPart(delivery.response, delivery.after, response)
      await wait(delivery.delay, response, waiting)
      response.end(rest)
      return cutSlowReader(response, waiting.timeout)
    }
    case 'truncated':
      sendPart(delivery.response, delivery.after, response)
      // Closes the connection after the data is sent, but without the end that HTTP expects.
      return breakConnection(response, (socket) => socket.destroySoon())
    case 'lost':
      return breakConnection(response, (socket) =>
        delivery.connection === 'reset' ? socket.resetAndDestroy() : socket.destroy(),
      )
  }
}

function breakConnection({ socket }: ServerResponse, end: (socket: Socket) => void): void {
  if (socket !== null) end(socket)
}

/** Cuts off a client that leaves a response unread. */
function cutSlowReader(response: ServerResponse, timeout: number): void {
  if (response.destroyed) return
  const timer = setTimeout(() => response.destroy(), timeout)
  response.once('close', () => clearTimeout(timer))
}

/** Waits until the time is over, the client is gone, or the listener closes. */
async function wait(
  delay: number,
  response: ServerResponse,
  { pause, closing }: Waiting,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  await pause(delay, AbortSignal.any([closing, gone.signal]))
}

function sendWhole(
  sent: ServiceResponse,
  response: ServerResponse,
  timeout: number,
): Promise<void> | undefined {
  const { body } = sent
  if (typeof body !== 'string') return sendPieces(sent, body, { response, timeout })
  const length = Buffer.byteLength(body)
  const encoding = encodingOf(body, length)
  writeHead(sent, length, response)
  // Node copies text once more for the system. It holds bytes once, until the client has read them.
  if (body.length > LONG) response.end(Buffer.from(body, encoding))
  else response.end(body, encoding)
  // Most responses are sent at once.
  if (response.socket?.writableLength) cutSlowReader(response, timeout)
  return undefined
}

/** Sends each piece of a body when the client has read the one before, so that Node copies only one. */
async function sendPieces(
  sent: ServiceResponse,
  pieces: readonly string[],
  { response, timeout }: { readonly response: ServerResponse; readonly timeout: number },
): Promise<void> {
  if (response.destroyed) return
  const lengths = pieces.map((piece) => Buffer.byteLength(piece))
  const length = lengths.reduce((sum, bytes) => sum + bytes, 0)
  writeHead(sent, length, response)
  cutSlowReader(response, timeout)
  for (const [at, piece] of pieces.entries()) {
    const isRead = response.write(piece, encodingOf(piece, lengths[at]))
    if (!isRead) await drained(response)
    if (response.destroyed) return
  }
  response.end()
}

/** Waits until a client has read, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end)
      resolve()
    }
    response.on('drain', end).on('close', end)
  })
}

/**
 * Sends a rejection to a client that is still sending its request. The client sees the end of the
 * connection at once; the connection closes when nothing more arrives.
 */
function sendEarly(sent: ServiceResponse, response: ServerResponse): void {
  const { req, socket } = response
  sendPart(sent, Number.POSITIVE_INFINITY, response)
  socket?.end()
  discardRest(req, () => response.destroy())
}

/** Sends the head and the first bytes of the body; returns the other bytes. */
function sendPart(sent: ServiceResponse, after: number, response: ServerResponse): Buffer {
  const bytes = Buffer.from(textOf(sent.body))
  writeHead(sent, bytes.length, response)
  response.flushHeaders()
  if (after > 0) response.write(bytes.subarray(0, after))
  return bytes.subarray(after)
}

/**
 * Returns the fastest encoding that makes UTF-8. Most bodies are ASCII: they have as many bytes as
 * units, and encoding them as UTF-8 would take a third of the time of sending a page.
 */
function encodingOf(body: string, bytes: number | undefined): 'latin1' | 'utf8' {
  return bytes === body.length ? 'latin1' : 'utf8'
}

function writeHead(
  { status, headers }: ServiceResponse,
  length: number,
  response: ServerResponse,
): void {
  // Otherwise a client could go on sending a body that was rejected.
  if (!response.req.complete) response.setHeader('connection', 'close')
  response.writeHead(status, { ...headers, 'content-length': length })
}
