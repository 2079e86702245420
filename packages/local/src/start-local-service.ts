import { declareOptions } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import type { LocalAccount } from './account/account.ts'
import { type LocalListener, localTableService } from './local-table-service.ts'
import { type ListenOptions, listenOptions } from './service/listen-options.ts'
import { localOptions } from './service/local-options.ts'

/** Options of {@link startLocalService}. */
export interface StartOptions extends ListenOptions {
  /**
   * The accounts, at least one, each with its key.
   *
   * @defaultValue the well-known account of emulators, `devstoreaccount1`
   */
  readonly accounts?: readonly LocalAccount[] | undefined
  /**
   * The folder of a durable store. It is made when it does not exist. Only one service at a time
   * can use it. Folders need the package `classic-level`.
   *
   * @defaultValue tables are in memory until the service closes
   */
  readonly data?: string | undefined
  /**
   * The service to imitate: Table storage, or Cosmos DB for Table.
   *
   * @defaultValue `'storage'`
   */
  readonly flavour?: Flavour | undefined
}

const { accounts, data, flavour } = localOptions.rules
const startOptions = declareOptions<StartOptions>({
  ...listenOptions.rules,
  accounts,
  data,
  flavour,
})

/**
 * Starts an embedded service that listens, for clients that connect to it by HTTP.
 *
 * @param options - port, host, accounts and folder
 * @returns the listener; closing it closes the service
 * @throws {@link StoreError} when the folder cannot be used
 * @throws {@link ListenError} when the port is taken or the address is not one of this machine
 * @throws InputError for an unknown option, an invalid value, or an invalid account
 *
 * @example
 * ```ts
 * const local = await startLocalService({ port: 0 })
 * const client = TableClient.fromConnectionString(local.connectionString, 'people', {
 *   allowInsecureConnection: true,
 * })
 * await local.close()
 * ```
 */
export async function startLocalService(options: StartOptions = {}): Promise<LocalListener> {
  startOptions.check(options, 'startLocalService')
  const { accounts, data, flavour } = options
  const service = localTableService({ accounts, data, flavour })
  try {
    await service.open()
    const { port, connectionString } = await service.listen({
      port: options.port,
      host: options.host,
      hosts: options.hosts,
      limits: options.limits,
      tls: options.tls,
    })
    return { port, connectionString, close: () => service.close() }
  } catch (error) {
    await service.close()
    throw error
  }
}
