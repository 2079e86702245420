import { checkOptions } from '../check-options.ts'
import { ConnectionError } from '../errors/connection-error.ts'
import { OptionValueError } from '../errors/option-value-error.ts'
import { FetchExchange } from './fetch-exchange.ts'
import type { Transport } from './transport.ts'

/** How {@link fetchTransport} uses the network. */
export interface FetchTransportOptions {
  /**
   * A `fetch` to send through, such as that of a service binding.
   *
   * @defaultValue the global `fetch`, looked up anew for each request
   */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * The Transport of browsers and workers, and of Deno and Bun: the `fetch` that is there.
 *
 * Redirects are never followed. An answer longer than 16 MiB is refused. `fetch` keeps its own
 * connections, so closing the transport only stops further calls.
 *
 * `fetch` does not say whether a request has left the machine. So a write that fails on the way is
 * taken for one that may have been applied, unless the reason shows that there was no connection.
 *
 * In a browser the account must allow the page's origin (CORS) and expose the headers `etag` and
 * `x-ms-*`; otherwise ETags and continuation tokens cannot be seen.
 *
 * @param options - how to use the network
 * @throws {@link UnknownOptionError} or {@link OptionValueError} for options that cannot be
 *
 * @example
 * ```ts
 * const service = tableService({
 *   endpoint: 'https://contoso.table.core.windows.net',
 *   credential: new SasCredential(sas),
 *   transport: fetchTransport(),
 * })
 * ```
 */
export function fetchTransport(options: FetchTransportOptions = {}): Transport {
  checkOptions(options, ['fetch'], 'fetchTransport')
  const { fetch: given } = options
  if (given !== undefined && typeof given !== 'function') {
    throw new OptionValueError({ message: 'fetch of fetchTransport must be a function.' })
  }
  let closed = false

  const send: Transport = async (request, limits = {}) => {
    if (closed) {
      throw new ConnectionError({
        message: `Nothing was sent to ${request.origin}: the transport has been closed.`,
        failure: 'closed',
      })
    }
    // Bound to the global, since a browser's fetch refuses any other `this`.
    const fetch = given ?? globalThis.fetch.bind(globalThis)
    return new FetchExchange(request, limits, fetch).run()
  }
  const close = async (): Promise<void> => {
    closed = true
  }
  return Object.assign(send, { close })
}
