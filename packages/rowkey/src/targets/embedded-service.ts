import type { LocalTableService } from '@rowkey/local'
import type { Credential, Flavour, HttpResponse, Transport } from '@rowkey/rest'
import { loadEmbedded } from './load-embedded.ts'

/** The options of {@link embeddedService}. */
export interface EmbeddedOptions {
  /**
   * Milliseconds since 1970, UTC: the clock of the program, so that both agree on dates; that of the
   * machine when absent.
   */
  readonly now?: (() => number) | undefined
  /** The folder of its tables; in memory without one. */
  readonly data?: string
  /** The service that it imitates; Table storage when absent. */
  readonly flavour?: Flavour | undefined
}

/** The connection to an embedded service. */
export interface EmbeddedService {
  /** Carries requests to the service, and closes it. */
  readonly transport: Transport
  /** Signs for the service's first account, in browsers and workers too. */
  readonly credential: Credential
}

/**
 * Connects to a new embedded service. The first request loads it, so that a program for Azure neither
 * loads nor bundles it. When the folder cannot be opened, the request fails and the next one tries
 * again.
 *
 * @param options - the clock, and the folder of the tables
 * @param load - imports the package of the embedded service
 */
export function embeddedService(
  options: EmbeddedOptions,
  load: typeof loadEmbedded = loadEmbedded,
): EmbeddedService {
  let service: Promise<LocalTableService> | undefined
  let isClosed = false

  const start = (): Promise<LocalTableService> => {
    service ??= load().then(({ localTableService }) => localTableService(options))
    return service
  }
  const transport: Transport = async (request, limits): Promise<HttpResponse> => {
    const local = await start()
    if (!isClosed) await local.open()
    return local.transport(request, limits)
  }
  // Also starts a service without requests: a closed service must not start later.
  transport.close = async () => {
    isClosed = true
    await (await start()).close()
  }
  const credential: Credential = {
    async authorize(request, endpoint, now) {
      return (await start()).credential().authorize(request, endpoint, now)
    },
  }
  return { transport, credential }
}
