import { isRowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import { shownCause } from './redact.ts'
import {
  type AttemptLimits,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Transport,
} from './transport.ts'

/**
 * A Transport of someone else's, held to the contract: whatever it rejects with becomes a
 * {@link TransportError}, and a write is then taken for one that may have been applied. Once the
 * signal has aborted that is an {@link AbortError}, and nobody waits for a transport that does not
 * listen. Of what it rejects with, the cause shows name, code and message only: the rest may hold the
 * request, and so a signature.
 *
 * @param transport - a Transport that may reject with anything
 */
export function withTransportErrors(transport: Transport): Transport {
  const send: Transport = async (request, limits) => {
    const signal = limits?.signal
    if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied: false })
    const aborted = (): AbortError =>
      new AbortError({ reason: signal?.reason, mayHaveApplied: !isRead(request) })
    const answer = answerOf(transport, request, limits)
    try {
      return await (signal === undefined ? answer : untilAborted(answer, signal, aborted))
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
  return Object.assign(send, { close: async () => transport.close?.() })
}

/** Async, so that a transport that throws rejects. */
async function answerOf(
  transport: Transport,
  request: HttpRequest,
  limits: AttemptLimits | undefined,
): Promise<HttpResponse> {
  return transport(request, limits)
}

/**
 * Waits for work, but not once a signal has aborted: whoever works need not listen to it. Who does
 * listen ends by itself first, and knows best how far it came.
 *
 * @param work - what is waited for
 * @param signal - ends the wait
 * @param aborted - makes the error of a wait that was ended
 */
export function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  aborted: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    // What has been rejected in this turn arrives before the next.
    const stop = (): void => void setTimeout(() => reject(aborted()))
    const release = (): void => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(release)
  })
}
