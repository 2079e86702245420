import {
  AbortError,
  type AttemptLimits,
  ConnectionError,
  type HttpRequest,
  type HttpResponse,
  type Transport,
} from '@rowkey/rest'

/**
 * A {@link Transport} that carries requests to a service in the same process: the same line as
 * over HTTP, without the sockets. A signal is heeded before and after, and a timeout is not needed:
 * a service in memory answers before a timer could run.
 *
 * @param answer - the service
 */
export function inProcessTransport(
  answer: (request: HttpRequest) => Promise<HttpResponse>,
): Transport {
  let isClosed = false
  const send = async (request: HttpRequest, limits: AttemptLimits = {}): Promise<HttpResponse> => {
    if (isClosed) throw closedError(request)
    checkAborted(limits.signal, false)
    const response = await answer(request)
    checkAborted(limits.signal, request.method !== 'GET')
    return response
  }
  const close = async (): Promise<void> => {
    isClosed = true
  }
  return Object.assign(send, { close })
}

function checkAborted(signal: AbortSignal | undefined, mayHaveApplied: boolean): void {
  if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied })
}

function closedError({ method, origin, path }: HttpRequest): ConnectionError {
  return new ConnectionError({
    message: `${method} ${origin}${path} was not sent: the embedded service is closed. Make a new one with localTableService().`,
    failure: 'closed',
  })
}
