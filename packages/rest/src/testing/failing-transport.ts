import { aFunction, checkValue } from '@rowkey/odata'
import { TransportError } from '../errors/transport-error.ts'
import {
  type CloseOptions,
  type HttpRequest,
  type HttpResponse,
  isRead,
  type Transport,
} from '../http/transport.ts'

/**
 * Says how a request fails.
 *
 * | failure | reaches the service | a write may have been applied |
 * |---|---|---|
 * | `no connection` | no | no |
 * | `lost request` | no | yes, as far as the caller can know |
 * | `lost response` | yes | yes, and it was |
 * | a response | no | depends on its status |
 */
export type TransportFailure = 'no connection' | 'lost request' | 'lost response' | HttpResponse

/**
 * Decides which requests fail, and how.
 *
 * @param request - the request
 * @param number - the number of the request, counted from 1
 * @returns `undefined` to let the request pass
 */
export type FailureRule = (request: HttpRequest, number: number) => TransportFailure | undefined

/**
 * Makes a Transport that fails on purpose, to test a program with an unreliable network.
 *
 * @param inner - carries the other requests
 * @param rule - decides which requests fail, and how
 * @throws `InputError` (`InvalidOptionValue`) for an argument that is not a function
 *
 * @example
 * ```ts
 * const transport = failingTransport(undiciTransport(), (request, number) =>
 *   number === 1 ? 'lost response' : undefined,
 * )
 * ```
 */
export function failingTransport(inner: Transport, rule: FailureRule): Transport {
  checkValue(inner, aFunction, 'inner', 'failingTransport')
  checkValue(rule, aFunction, 'rule', 'failingTransport')
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
          message: `Could not connect to ${request.origin}: failingTransport rejected the request. Nothing was sent.`,
          failure: 'refused',
          mayHaveApplied: false,
        })
      case 'lost request':
        throw lost(request)
      case 'lost response':
        await inner(request, limits)
        throw lost(request)
      default:
        return failure
    }
  }
  return Object.assign(send, { close: async (options?: CloseOptions) => inner.close?.(options) })
}

function lost(request: HttpRequest): TransportError {
  return new TransportError({
    message: `${request.method} ${request.origin}${request.path}: the connection broke before the response arrived; failingTransport dropped it.`,
    mayHaveApplied: !isRead(request),
  })
}
