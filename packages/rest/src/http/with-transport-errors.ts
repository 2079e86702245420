import { isRowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { onAbort } from '../wait/on-abort.ts'
import { shownCause } from './redact.ts'
import {
  type CloseOptions,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Transport,
} from './transport.ts'
import { closedErrorOf } from './transport-errors.ts'

/**
 * Makes a caller's Transport keep the contract. A rejection, or a result that is not an
 * {@link HttpResponse}, becomes a {@link TransportError}, after which a write may have been applied. When the
 * signal aborts, the call ends with an `AbortError`, even if the transport ignores the signal. When it is
 * closed, pending requests end too, even if the transport cannot be closed. `cause` has only name, code and
 * message of the transport's error, because the rest may contain the signed request.
 *
 * @param transport - a Transport that may reject with anything
 */
export function withTransportErrors(transport: Transport): Transport {
  const closing = new AbortController()
  const send: Transport = async (request, limits) => {
    const signal = limits?.signal
    if (closing.signal.aborted) throw closedErrorOf(request, false)
    if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied: false })
    const aborted = (): AbortError =>
      new AbortError({ reason: signal?.reason, mayHaveApplied: !isRead(request) })
    const closed = () => closedErrorOf(request, true)
    try {
      // A caller's transport may return anything, also no promise.
      const pending = Promise.resolve(transport(request, limits))
      const response = untilAborted(pending, closing.signal, closed)
      const whole = await (signal === undefined
        ? response
        : untilAborted(response, signal, aborted))
      // The Headers of fetch would hide the ETag.
      if (typeof whole.headers.get !== 'function' && typeof whole.body === 'string') return whole
    } catch (cause) {
      if (isRowkeyError(cause)) throw cause
      if (signal?.aborted) throw aborted()
      throw failed(request, 'failed', shownCause(cause))
    }
    throw failed(request, 'returned no { status, headers, body }')
  }
  return Object.assign(send, {
    async close(options?: CloseOptions): Promise<void> {
      try {
        const closed = transport.close?.(options)
        // Afterwards, because the transport knows better what became of its requests.
        if (options?.drain !== true) closing.abort()
        await closed
      } finally {
        closing.abort()
      }
    },
  })
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
    const stop = (): void => void setTimeout(() => reject(aborted()))
    const release = onAbort(signal, stop)
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(release)
  })
}
