import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpResponse } from '@rowkey/rest'
import type { Delivery } from '../delivery/delivery.ts'
import type { Pause } from '../platform/pause.ts'

/** How a listener waits, and until when. */
export interface Waiting {
  /** Waits; ends early when what it is given aborts. */
  readonly pause: Pause
  /** Aborts when the listener closes: nothing is waited for any longer. */
  readonly closing: AbortSignal
  /** Milliseconds in which a client must have read its response, or is cut off. */
  readonly timeout: number
}

/** Units of a body that is made bytes before it is sent. */
const LONG = 65_536

/** Writes what a client gets to its connection. */
export async function sendDelivery(
  delivery: Delivery,
  response: ServerResponse,
  waiting: Waiting,
): Promise<void> {
  switch (delivery.kind) {
    case 'whole':
      sendWhole(delivery.response, response)
      return cutSlowReader(response, waiting.timeout)
    case 'late':
      await wait(delivery.delay, response, waiting)
      sendWhole(delivery.response, response)
      return cutSlowReader(response, waiting.timeout)
    case 'paused': {
      const rest = sendPart(delivery.response, delivery.after, response)
      await wait(delivery.delay, response, waiting)
      response.end(rest)
      return cutSlowReader(response, waiting.timeout)
    }
    case 'truncated':
      sendPart(delivery.response, delivery.after, response)
      // Closed only when what was written is on its way, and without the end that HTTP expects.
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

/** Most responses are sent at once. What the client leaves unread must not be held for ever. */
function cutSlowReader(response: ServerResponse, timeout: number): void {
  if (!response.socket?.writableLength) return
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

function sendWhole(answer: HttpResponse, response: ServerResponse): void {
  const { body } = answer
  const encoding = encodingOf(answer)
  writeHead(answer, Buffer.byteLength(body, encoding), response)
  // Node copies text once more for the system; bytes it keeps once, until the client has read them.
  if (body.length > LONG) response.end(Buffer.from(body, encoding))
  else response.end(body, encoding)
}

/** Writes the head and so many bytes of the body; returns the bytes that are left. */
function sendPart(answer: HttpResponse, after: number, response: ServerResponse): Buffer {
  const bytes = Buffer.from(answer.body, encodingOf(answer))
  writeHead(answer, bytes.length, response)
  response.flushHeaders()
  if (after > 0) response.write(bytes.subarray(0, after))
  return bytes.subarray(after)
}

/** JSON is written in ASCII, as the service does: to encode it anew is a third of sending a page. */
function encodingOf({ headers }: HttpResponse): 'latin1' | 'utf8' {
  return headers['content-type']?.startsWith('application/json') ? 'latin1' : 'utf8'
}

function writeHead(
  { status, headers }: HttpResponse,
  length: number,
  response: ServerResponse,
): void {
  // A body that was refused half-way would otherwise go on arriving for as long as the client likes.
  if (!response.req.complete) response.setHeader('connection', 'close')
  response.writeHead(status, { ...headers, 'content-length': length })
}
