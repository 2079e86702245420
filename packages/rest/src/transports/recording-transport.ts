import { DecodeError } from '@rowkey/odata'
import { ConnectionError } from '../errors/connection-error.ts'
import { TransportError } from '../errors/transport-error.ts'
import type { Transport } from '../http/transport.ts'
import type { RecordedExchange, RecordedFailure } from './recorded-exchange.ts'
import { withoutEcho, withoutProof } from './without-proof.ts'

/**
 * A Transport that sends through another and keeps what went to and fro, for
 * {@link replayingTransport} or to look at. An abort is the caller's own doing and is not kept.
 *
 * Signatures, tokens and SAS are left out. Keys and values of entities are not: what is recorded is
 * as confidential as the table.
 *
 * @param inner - what carries the requests
 * @param sink - is given each exchange once it has ended; it must not throw
 *
 * @example
 * ```ts
 * const exchanges: RecordedExchange[] = []
 * const transport = recordingTransport(undiciTransport(), (exchange) => exchanges.push(exchange))
 * ```
 */
export function recordingTransport(
  inner: Transport,
  sink: (exchange: RecordedExchange) => void,
): Transport {
  const send: Transport = async (request, limits) => {
    const recorded = withoutProof(request)
    try {
      const response = await inner(request, limits)
      sink({ request: recorded, response: withoutEcho(response) })
      return response
    } catch (error) {
      if (error instanceof TransportError || error instanceof DecodeError) {
        sink({ request: recorded, failure: failureOf(error) })
      }
      throw error
    }
  }
  return Object.assign(send, { close: async () => inner.close?.() })
}

function failureOf(error: TransportError | DecodeError): RecordedFailure {
  const { code, message, mayHaveApplied } = error
  const failure = { code, message, mayHaveApplied }
  return error instanceof ConnectionError ? { ...failure, failure: error.failure } : failure
}
