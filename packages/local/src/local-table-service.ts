import { type Credential, sleep, type Transport } from '@rowkey/rest'
import {
  accountCredential,
  keyOfAccount,
  printConnectionString,
  printOrigin,
} from './account/account.ts'
import { deliverRejection, deliverRequest } from './delivery/deliver-request.ts'
import { inProcessTransport } from './delivery/in-process-transport.ts'
import { Listeners, type Responder } from './http/listeners.ts'
import { seedTables } from './seed/seed-tables.ts'
import { createService } from './service/create-service.ts'
import type { ListenOptions } from './service/listen-options.ts'
import type { LocalTableServiceOptions } from './service/local-options.ts'
import type { Service } from './service/service.ts'
import { type Controls, controlsOf } from './testing/controls.ts'

/** Nothing connects to it: the in-process transport never leaves the process. */
const IN_PROCESS_ORIGIN = 'http://localhost'

/** A listener of an embedded service. */
export interface LocalListener {
  /** The TCP port. */
  readonly port: number
  /** The connection string for any client, with the service's first account and its key. */
  readonly connectionString: string
  /** Sends pending responses, accepts no more requests, and frees the port. The tables stay. */
  close(): Promise<void>
}

/** An embedded table service: see {@link localTableService}. */
export interface LocalTableService extends Controls {
  /** The names of the accounts. The first is the default. */
  readonly accounts: readonly string[]
  /** Sends requests to the service without a socket. */
  readonly transport: Transport
  /**
   * Returns a connection string to use with `LocalTableService.transport`.
   *
   * @param account - one of the accounts of the service; `@defaultValue` the first
   * @throws InputError (`InvalidAccount`) for an unknown account
   */
  connectionString(account?: string): string
  /**
   * Makes a credential to use with `LocalTableService.transport`, at the endpoint
   * `http://localhost/<account>`. Browsers and workers reject connection strings with keys, and
   * accept this.
   *
   * @param account - one of the accounts of the service; `@defaultValue` the first
   * @throws InputError (`InvalidAccount`) for an unknown account
   *
   * @example
   * ```ts
   * const endpoint = 'http://localhost/devstoreaccount1'
   * const account = connect({ endpoint, credential: local.credential(), transport: local.transport })
   * ```
   */
  credential(account?: string): Credential
  /**
   * Opens the folder of a durable store now. Otherwise the first request opens it. A service in
   * memory has nothing to open.
   *
   * @throws {@link StoreError} when the folder cannot be used; a later call tries again
   */
  open(): Promise<void>
  /**
   * Stores the first rows of tables, all or none of each. A table that exists already keeps its rows.
   *
   * @param text - JSON: an object with a list of rows for each table. A row is written as the service writes it, with the types that JSON
   * does not show
   * @throws InputError (`InvalidSeed`) naming the table and the row, before anything is stored
   *
   * @example
   * ```ts
   * await local.seed('{ "people": [{ "PartitionKey": "a", "RowKey": "b", "n@odata.type": "Edm.Int64", "n": "5" }] }')
   * ```
   */
  seed(text: string): Promise<void>
  /**
   * Listens for HTTP requests of any client. May be called more than once.
   *
   * @throws {@link ListenError} when the port is taken or the address is not one of this machine
   * @throws TransportError (`ConnectionFailed`) when the service is closed
   * @throws InputError for an unknown option or an invalid value
   */
  listen(options?: ListenOptions): Promise<LocalListener>
  /** Stops listening, rejects further requests, waits for pending ones, and releases all tables. */
  close(): Promise<void>
}

/**
 * Makes an embedded table service: the protocol of Azure Table Storage with its limits, errors and
 * authorization, on tables in memory or in a folder.
 *
 * @param options - accounts, folder, clock and ids
 * @throws InputError for an unknown option, an invalid value, or an invalid account
 *
 * @example
 * ```ts
 * const local = localTableService()
 * const service = tableService({
 *   connectionString: local.connectionString(),
 *   transport: local.transport,
 * })
 * await perform(service, createTable, { table: 'people' })
 * await local.close()
 * ```
 */
export function localTableService(options: LocalTableServiceOptions = {}): LocalTableService {
  const service = createService(options)
  const { pause = sleep } = options
  const responder: Responder = {
    deliver: (request, source) => deliverRequest(service, request, source),
    reject: (request, rejection) => deliverRejection(service, request, rejection),
    pause,
    report: service.report,
  }
  const transport = inProcessTransport({
    deliver: (request, client) => deliverRequest(service, request, client),
    pause,
  })
  const listeners = new Listeners(responder)
  return {
    accounts: [...service.accounts.keys()],
    transport,
    ...controlsOf(service),
    connectionString: (account) => connectionStringAt(service, IN_PROCESS_ORIGIN, account),
    credential(account) {
      const { name, key } = keyOfAccount(service.accounts, account)
      return accountCredential(name, key)
    },
    open: () => openStore(service),
    seed: (text) => seedTables(service, keyOfAccount(service.accounts, undefined).name, text),
    async listen(listenOptions = {}) {
      const { scheme, host, port, close } = await listeners.start(listenOptions)
      const connectionString = connectionStringAt(
        service,
        printOrigin(scheme, host, port),
        undefined,
      )
      return { port, connectionString, close }
    },
    async close() {
      await transport.close?.()
      await listeners.close()
      await service.store.close()
    },
  }
}

/** A store opens on first use. */
async function openStore({ store }: Service): Promise<void> {
  await store.tableNames('')
}

function connectionStringAt(service: Service, origin: string, account: string | undefined): string {
  return printConnectionString(origin, keyOfAccount(service.accounts, account), service.flavour)
}
