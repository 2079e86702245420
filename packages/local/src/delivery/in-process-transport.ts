import {
  AbortError,
  type AttemptLimits,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Transport,
  TransportError,
} from '@rowkey/rest'
import type { Client } from '../request/client.ts'
import { textOf } from '../response/service-response.ts'
import type { Pause } from '../service/local-options.ts'
import type { Delivery } from './delivery.ts'

/** The parts of an in-process transport. */
interface InProcess {
  /** Delivers a request to the service. */
  deliver(request: HttpRequest, client: Client): Promise<Delivery>
  /** Waits for a delayed response. */
  readonly pause: Pause
}

/**
 * Makes a {@link Transport} to a service in the same process. It takes the same line as HTTP,
 * without sockets. The signal is checked before and after the call, and ends a scan. The timeout counts only while a
 * fault delays the response: other responses are ready before a timer could run. `close` waits for
 * pending requests.
 *
 * @param service - the service, and how to wait
 */
export function inProcessTransport(service: InProcess): Transport {
  let isClosed = false
  let pending = 0
  let onIdle = (): void => {}
  let idle: Promise<void> | undefined
  const send = async (request: HttpRequest, limits: AttemptLimits = {}): Promise<HttpResponse> => {
    if (isClosed) throw closedError(request)
    checkAborted(limits.signal, false)
    pending++
    const delivery = await service
      .deliver(request, { isGone: () => limits.signal?.aborted === true })
      .finally(() => {
        if (--pending === 0) onIdle()
      })
    checkAborted(limits.signal, !isRead(request))
    const response = await receive(delivery, request, { limits, pause: service.pause })
    checkAborted(limits.signal, !isRead(request))
    return response
  }
  const close = async (): Promise<void> => {
    isClosed = true
    idle ??= new Promise((resolve) => {
      onIdle = resolve
      if (pending === 0) resolve()
    })
    await idle
  }
  return Object.assign(send, { close })
}

interface Receiver {
  readonly limits: AttemptLimits
  readonly pause: Pause
}

async function receive(
  delivery: Delivery,
  request: HttpRequest,
  receiver: Receiver,
): Promise<HttpResponse> {
  switch (delivery.kind) {
    case 'lost':
    case 'truncated':
      throw brokenError(request)
    case 'late':
    case 'paused':
      await waitFor(delivery.delay, request, receiver)
  }
  const { status, headers, body } = delivery.response
  return { status, headers, body: textOf(body) }
}

async function waitFor(
  delay: number,
  request: HttpRequest,
  { limits: { timeout = Number.POSITIVE_INFINITY, signal }, pause }: Receiver,
): Promise<void> {
  await pause(Math.min(delay, timeout), signal)
  if (signal?.aborted || delay < timeout) return
  throw new TransportError({
    code: 'AttemptTimeout',
    message: `${nameOf(request)}: no complete response within ${timeout} ms.${doubtOf(request)}`,
    mayHaveApplied: !isRead(request),
  })
}

function checkAborted(signal: AbortSignal | undefined, mayHaveApplied: boolean): void {
  if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied })
}

function brokenError(request: HttpRequest): TransportError {
  return new TransportError({
    message: `${nameOf(request)}: the connection broke before the response was complete, by an injected fault.${doubtOf(request)}`,
    mayHaveApplied: !isRead(request),
  })
}

function closedError(request: HttpRequest): TransportError {
  return new TransportError({
    code: 'ConnectionFailed',
    message: `${nameOf(request)} was not sent: the embedded service is closed. Open the account again, or make a new service with localTableService().`,
    failure: 'closed',
    mayHaveApplied: false,
  })
}

function nameOf({ method, origin, path }: HttpRequest): string {
  return `${method} ${origin}${path}`
}

function doubtOf(request: HttpRequest): string {
  return isRead(request) ? '' : ' The outcome is unknown: the write may have been applied.'
}
