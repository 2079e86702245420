import { isRowkeyError } from '@rowkey/odata'
import { TransportError } from '../errors/transport-error.ts'
import { isRead } from './http-request.ts'
import { shownCause } from './shown-cause.ts'
import type { Transport } from './transport.ts'

/**
 * A Transport of someone else's, held to the contract: whatever it rejects with becomes a
 * {@link TransportError}, and a write is then taken for one that may have been applied. Of what it
 * rejects with, the cause shows name, code and message only: the rest may hold the request, and so a
 * signature.
 *
 * @param transport - a Transport that may reject with anything
 */
export function withTransportErrors(transport: Transport): Transport {
  const send: Transport = async (request, limits) => {
    try {
      return await transport(request, limits)
    } catch (cause) {
      if (isRowkeyError(cause)) throw cause
      throw new TransportError({
        message: `${request.method} ${request.origin}${request.path}: the transport failed.`,
        mayHaveApplied: !isRead(request),
        cause: shownCause(cause),
      })
    }
  }
  return Object.assign(send, { close: async () => transport.close?.() })
}
