import { partNotLoaded } from '../errors/part-not-loaded.ts'
import type { CloseOptions, Transport } from './transport.ts'
import { unsentErrorOf } from './transport-errors.ts'

/** Few browsers' programs have a transport of their own, so this is loaded with its first request, and not awaited again. */
let sendThrough: typeof import('./send-through.ts').sendThrough | undefined

/**
 * Makes a caller's Transport keep the contract, as `sendThrough` says. After `close`, it sends nothing more, also when the
 * caller's Transport has no `close`.
 *
 * @param transport - a Transport that may reject with anything
 */
export function withTransportErrors(transport: Transport): Transport {
  let isClosed = false
  const send: Transport = async (request, limits) => {
    sendThrough ??= (await import('./send-through.ts').catch(partNotLoaded)).sendThrough
    if (isClosed) throw unsentErrorOf(request.origin)
    return sendThrough(transport, request, limits)
  }
  return Object.assign(send, {
    async close(options?: CloseOptions): Promise<void> {
      isClosed = true
      await transport.close?.(options)
    },
  })
}
