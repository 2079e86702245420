import type { LocalTableService } from '@rowkey/local'
import type { HttpRequest, HttpResponse, Transport } from '@rowkey/rest'

/**
 * A Transport to an embedded service of its own, which is loaded at the first request, so that a
 * program for Azure neither loads nor bundles it.
 */
export function embeddedTransport(now: () => number): Transport {
  let service: Promise<LocalTableService> | undefined

  const start = (): Promise<LocalTableService> => {
    service ??= import('@rowkey/local').then(({ localTableService }) => localTableService({ now }))
    return service
  }
  const transport: Transport = async (request, limits): Promise<HttpResponse> =>
    (await start()).transport(request satisfies HttpRequest, limits)
  // Also when it never started: what is closed must not start later.
  transport.close = async () => (await start()).close()
  return transport
}
