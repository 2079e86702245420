import { DecodeError, type RowkeyError } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { restInputError } from '../errors/codes.ts'

import { TransportError } from '../errors/transport-error.ts'

import type { HttpRequest, Transport } from '../http/transport.ts'
import { type RecordedExchange, type RecordedFailure, withoutProof } from './recording-transport.ts'

/**
 * A Transport that needs no service: it answers as was recorded, and fails where it had failed.
 *
 * A request is known again by its verb, path, query, `If-Match` and body; host, date, ids and whoever
 * asks may be others. Each exchange answers once, and those of equal requests in the order in which
 * they were recorded.
 *
 * @param exchanges - what {@link recordingTransport} kept, perhaps read from JSON
 * @throws {@link InputError} (`UnrecordedRequest`), when it is called with a request that no exchange is left for
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
      message: `${request.method} ${request.path} was not recorded, or not as often. Record it anew with recordingTransport.`,
    })
  }
}

/** By what a request is known again. */
function markOf(request: HttpRequest): string {
  const { method, path, query, headers, body } = withoutProof(request)
  return JSON.stringify([method, path, query, headers['if-match'] ?? null, body ?? null])
}

function errorOf({ code, message, mayHaveApplied, failure }: RecordedFailure): RowkeyError {
  switch (code) {
    case 'UnexpectedAnswer':
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
