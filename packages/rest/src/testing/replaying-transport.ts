import { AbortError } from '../errors/abort-error.ts'
import { restInputError } from '../errors/codes.ts'
import type { HttpRequest, Transport } from '../http/transport.ts'
import { type RecordedExchange, withoutProof } from './recording-transport.ts'

/**
 * Makes a Transport that replays recorded responses, without a service.
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
    if (exchange !== undefined) return exchange.response
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
