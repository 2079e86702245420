import { checkOptions } from '@rowkey/rest'
import type { LocalAccount } from './account/account.ts'
import type { ListenOptions } from './http/listen-options.ts'
import { type LocalListener, localTableService } from './local-table-service.ts'

/** Where a service is to listen, and for whom: see {@link startLocalService}. */
export interface StartOptions extends ListenOptions {
  /**
   * The accounts it knows, each with its key; at least one.
   *
   * @defaultValue the well-known account of emulators, `devstoreaccount1`
   */
  readonly accounts?: readonly LocalAccount[] | undefined
  /**
   * The folder of a durable store, made when it is not there. One service at a time may have it.
   *
   * @defaultValue tables are in memory, and gone when the service closes
   */
  readonly data?: string | undefined
}

/**
 * Starts an embedded service that listens: what one does before pointing another client at it.
 *
 * @param options - port, host, accounts and folder
 * @returns the listener; closing it closes the service, and tables in memory are gone
 * @throws {@link StoreError} when the folder cannot be used
 * @throws {@link ListenError} when the port is taken or the address is not this machine's
 * @throws InputError (`InvalidAccount`) for an invalid name or key of an account
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
  checkOptions(
    options,
    ['port', 'host', 'hosts', 'limits', 'accounts', 'data'],
    'startLocalService',
  )
  const service = localTableService({ accounts: options.accounts, data: options.data })
  try {
    await service.open()
    const { port, connectionString } = await service.listen({
      port: options.port,
      host: options.host,
      hosts: options.hosts,
      limits: options.limits,
    })
    return { port, connectionString, close: () => service.close() }
  } catch (error) {
    await service.close()
    throw error
  }
}
