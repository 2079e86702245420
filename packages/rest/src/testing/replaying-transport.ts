import { DecodeError, type RowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { restInputError } from '../errors/codes.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { HttpRequest, Transport } from '../http/transport.ts'
import { type RecordedExchange, type RecordedFailure, withoutProof } from './recording-transport.ts'

/**
 * Makes a Transport that replays recorded responses and failures, without a service.
 *
 * It recognizes a request by verb, path, query, `If-Match` and body; host, date, ids and credential may
 * differ. Each exchange is used once; exchanges of equal requests are used in the order of recording.
 *
 * @param exchanges - the exchanges of a {@link recordingTransport}, perhaps from JSON
 * @throws `InputError` (`UnrecordedRequest`) on a call when no exchange is left for its request
 *
 * @example
 * ```ts
 * const transport = replayingTransport(JSON.parse(readFileSync('exchanges.json', 'utf8')))
 * ```
 */
export function replayingTransport(exchanges: Iterable<RecordedExchange>): Transport {
  const left = new Map<string, RecordedExchange[]>()
  for (const exchange of exchanges) {
    const mark = markOf(exchange.request)
    const equal = left.get(mark)
    if (equal === undefined) left.set(mark, [exchange])
    else equal.push(exchange)
  }

  return async (request, limits = {}) => {
    const { signal } = limits
    if (signal?.aborted) throw new AbortError({ reason: signal.reason, mayHaveApplied: false })
    const exchange = left.get(markOf(request))?.shift()
    if (exchange?.failure !== undefined) throw errorOf(exchange.failure)
    if (exchange?.response !== undefined) return exchange.response
    throw restInputError({
      code: 'UnrecordedRequest',
      message: `${request.method} ${request.path} was not recorded, or not as often. Record it again with recordingTransport.`,
    })
  }
}

/** Returns the parts of a request that identify it. */
function markOf(request: HttpRequest): string {
  const { method, path, query, headers, body } = withoutProof(request)
  return JSON.stringify([method, path, query, headers['if-match'] ?? null, body ?? null])
}

function errorOf({ code, message, mayHaveApplied, failure }: RecordedFailure): RowkeyError {
  switch (code) {
    case 'UnexpectedResponse':
      return new DecodeError({ message, mayHaveApplied })
    case 'ConnectionFailed':
      return new TransportError({
        code,
        message,
        failure: failure ?? 'other',
        mayHaveApplied: false,
      })
    case 'AttemptTimeout':
      return new TransportError({ code, message, mayHaveApplied })
    default:
      return new TransportError({ message, mayHaveApplied })
  }
}
