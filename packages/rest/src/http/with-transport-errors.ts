import { isRowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { onAbort } from '../options/on-abort.ts'
import { shownCause } from './redact.ts'
import {
  type AttemptLimits,
  type CloseOptions,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Transport,
} from './transport.ts'

/**
 * Makes a caller's Transport keep the contract: whatever it rejects with becomes a
 * {@link TransportError}, after which a write may have been applied. When the signal aborts, the call
 * ends with an `AbortError`, even if the transport ignores the signal. `cause` has only name,
 * code and message of the transport's error, because the rest may contain the signed request.
 *
 * @param transport - a Transport that may reject with anything
 */
export function withTransportErrors(transport: Transport): Transport {
  const send: Transport = async (request, limits) => {
    const signal = limits?.signal
    if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied: false })
    const aborted = (): AbortError =>
      new AbortError({ reason: signal?.reason, mayHaveApplied: !isRead(request) })
    const response = responseOf(transport, request, limits)
    try {
      return await (signal === undefined ? response : untilAborted(response, signal, aborted))
    } catch (cause) {
      if (isRowkeyError(cause)) throw cause
      if (signal?.aborted) throw aborted()
      throw new TransportError({
        message: `${request.method} ${request.origin}${request.path}: the transport failed.`,
        mayHaveApplied: !isRead(request),
        cause: shownCause(cause),
      })
    }
  }
  return Object.assign(send, {
    close: async (options?: CloseOptions) => transport.close?.(options),
  })
}

/** Async, so that a transport that throws rejects. */
async function responseOf(
  transport: Transport,
  request: HttpRequest,
  limits: AttemptLimits | undefined,
): Promise<HttpResponse> {
  return transport(request, limits)
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
    const stop = (): void => void setTimeout(() => reject(aborted()))
    const release = onAbort(signal, stop)
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(release)
  })
}
