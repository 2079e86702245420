import { TransportError } from '../errors/transport-error.ts'
import { type HttpRequest, type HttpResponse, isRead, type Transport } from '../http/transport.ts'

/**
 * How a request fails.
 *
 * | failure | reaches the service | a write may have been applied |
 * |---|---|---|
 * | `no connection` | no | no |
 * | `lost request` | no | yes, as far as the caller can know |
 * | `lost answer` | yes | yes, and it was |
 * | an answer | no | as its status says |
 */
export type TransportFailure = 'no connection' | 'lost request' | 'lost answer' | HttpResponse

/**
 * Says which requests fail, and how.
 *
 * @param request - what is to be sent
 * @param number - how many requests there have been with this one
 * @returns `undefined` to let it pass
 */
export type FailureRule = (request: HttpRequest, number: number) => TransportFailure | undefined

/**
 * A Transport that sends through another and fails when told to, to see what a program does then.
 *
 * @param inner - what carries the requests
 * @param rule - which requests fail, and how
 *
 * @example
 * ```ts
 * const transport = failingTransport(undiciTransport(), (request, number) =>
 *   number === 1 ? 'lost answer' : undefined,
 * )
 * ```
 */
export function failingTransport(inner: Transport, rule: FailureRule): Transport {
  let requests = 0
  const send: Transport = async (request, limits) => {
    requests++
    const failure = rule(request, requests)
    switch (failure) {
      case undefined:
        return inner(request, limits)
      case 'no connection':
        throw new TransportError({
          code: 'ConnectionFailed',
          message: `Could not connect to ${request.origin}: failingTransport was told so. Nothing was sent.`,
          failure: 'refused',
          mayHaveApplied: false,
        })
      case 'lost request':
        throw lost(request)
      case 'lost answer':
        await inner(request, limits)
        throw lost(request)
      default:
        return failure
    }
  }
  return Object.assign(send, { close: async () => inner.close?.() })
}

function lost(request: HttpRequest): TransportError {
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the connection broke before the answer had come; failingTransport was told so.`,
    mayHaveApplied: !isRead(request),
  })
}
