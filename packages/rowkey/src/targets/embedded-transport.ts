import type { LocalTableService } from '@rowkey/local'
import type { HttpRequest, HttpResponse, Transport } from '@rowkey/rest'

/** What an embedded service is made with. */
export interface EmbeddedOptions {
  /** Milliseconds since 1970, UTC: the clock of the program, so that both agree on dates. */
  readonly now: () => number
  /** The folder of its tables; in memory without one. */
  readonly data?: string
}

/**
 * A Transport to an embedded service of its own, which is loaded at the first request, so that a
 * program for Azure neither loads nor bundles it. A folder that cannot be opened is the first
 * request's error; the next one tries again.
 */
export function embeddedTransport(options: EmbeddedOptions): Transport {
  let service: Promise<LocalTableService> | undefined
  let isClosed = false

  const start = (): Promise<LocalTableService> => {
    service ??= import('@rowkey/local').then(({ localTableService }) => localTableService(options))
    return service
  }
  const transport: Transport = async (request, limits): Promise<HttpResponse> => {
    const local = await start()
    if (!isClosed) await local.open()
    return local.transport(request satisfies HttpRequest, limits)
  }
  // Also when it never started: what is closed must not start later.
  transport.close = async () => {
    isClosed = true
    await (await start()).close()
  }
  return transport
}
