import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpResponse } from '@rowkey/rest'
import type { Delivery } from '../injection/delivery.ts'
import type { Pause } from './pause.ts'

/** How a listener waits, and until when. */
export interface Waiting {
  /** Waits; ends early when what it is given aborts. */
  readonly pause: Pause
  /** Aborts when the listener closes: nothing is waited for any longer. */
  readonly closing: AbortSignal
  /** Milliseconds in which a client must go on reading its answer, or is cut off. */
  readonly timeout: number
}

/** Writes what a client gets to its connection. */
export async function sendDelivery(
  delivery: Delivery,
  response: ServerResponse,
  waiting: Waiting,
): Promise<void> {
  response.setTimeout(waiting.timeout, () => response.destroy())
  switch (delivery.kind) {
    case 'whole':
      return sendWhole(delivery.response, response)
    case 'late':
      await wait(delivery.delay, response, waiting)
      return sendWhole(delivery.response, response)
    case 'paused': {
      const rest = sendPart(delivery.response, delivery.after, response)
      await wait(delivery.delay, response, waiting)
      response.end(rest)
      return
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

/** Of pipelined requests each gets the connection when those before it are answered. */
function breakConnection(response: ServerResponse, end: (socket: Socket) => void): void {
  if (response.socket !== null) end(response.socket)
  // Node writes what waits for the connection only after it has said that it is there.
  else response.once('socket', (socket: Socket) => queueMicrotask(() => end(socket)))
}

/** Waits until the time is over, the client is gone, or the listener closes. */
async function wait(
  delay: number,
  response: ServerResponse,
  { pause, closing, timeout }: Waiting,
): Promise<void> {
  // For that long it is not the client who is slow.
  response.setTimeout(0)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  await pause(delay, AbortSignal.any([closing, gone.signal]))
  response.setTimeout(timeout)
}

function sendWhole(answer: HttpResponse, response: ServerResponse): void {
  const encoding = encodingOf(answer)
  writeHead(answer, Buffer.byteLength(answer.body, encoding), response)
  response.end(answer.body, encoding)
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
