import { isRowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { onAbort } from '../options/on-abort.ts'
import { sleep } from '../options/sleep.ts'
import { shownCause } from './redact.ts'
import {
  type AttemptLimits,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Transport,
} from './transport.ts'

/**
 * Sends a request through a caller's Transport: whatever it rejects with, and a result that is not an
 * {@link HttpResponse}, becomes a {@link TransportError}, after which a write may have been applied. When the
 * signal aborts, the call ends with an `AbortError`, even if the transport ignores the signal. `cause` has only
 * name, code and message of the transport's error, because the rest may contain the signed request.
 *
 * @param transport - a Transport that may reject with anything
 * @param request - the request
 * @param limits - the limits of the attempt
 */
export async function sendThrough(
  transport: Transport,
  request: HttpRequest,
  limits: AttemptLimits | undefined,
): Promise<HttpResponse> {
  const signal = limits?.signal
  if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied: false })
  const aborted = (): AbortError =>
    new AbortError({ reason: signal?.reason, mayHaveApplied: !isRead(request) })
  const response = responseOf(transport, request, limits)
  try {
    const whole = await (signal === undefined ? response : untilAborted(response, signal, aborted))
    // The Headers of fetch would hide the ETag.
    if (typeof whole.headers.get !== 'function' && typeof whole.body === 'string') return whole
  } catch (cause) {
    if (isRowkeyError(cause)) throw cause
    if (signal?.aborted) throw aborted()
    throw failed(request, 'failed', shownCause(cause))
  }
  throw failed(request, 'returned no { status, headers, body }')
}

/** Async, so that a transport that throws rejects. */
async function responseOf(
  transport: Transport,
  request: HttpRequest,
  limits: AttemptLimits | undefined,
): Promise<HttpResponse> {
  return transport(request, limits)
}

function failed(request: HttpRequest, problem: string, cause?: unknown): TransportError {
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the transport ${problem}.`,
    mayHaveApplied: !isRead(request),
    cause,
  })
}

/**
 * Waits for work until a signal aborts. Work that listens to the signal rejects first, with an error
 * that knows whether anything was sent.
 *
 * @param work - the pending work
 * @param signal - ends the wait
 * @param aborted - makes the error of a wait that ended early
 */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  aborted: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    // A rejection of this turn arrives before the timer.
    const stop = (): void => void sleep(0).then(() => reject(aborted()))
    const release = onAbort(signal, stop)
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(release)
  })
}
