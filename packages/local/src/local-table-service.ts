import { checkOptions, type Transport } from '@rowkey/rest'
import { keyOfAccount, printConnectionString, printOrigin } from './account/account.ts'
import { deliverRejection, deliverRequest } from './delivery/deliver-request.ts'
import { inProcessTransport } from './delivery/in-process-transport.ts'
import { localInputError } from './errors/codes.ts'
import { readHostNames } from './http/host-names.ts'
import type { ListenOptions } from './http/listen-options.ts'
import { readListenLimits } from './http/listen-options.ts'
import type { Responder } from './http/listener.ts'
import { Listeners } from './http/listeners.ts'
import { pause as machinePause } from './platform/pause.ts'
import { createService } from './service/create-service.ts'
import type { LocalTableServiceOptions } from './service/local-options.ts'
import type { Service } from './service/service.ts'
import { type Controls, controlsOf } from './testing/controls.ts'

const OPTIONS = [
  'accounts',
  'data',
  'now',
  'newId',
  'onInternalError',
  'tableDeletion',
  'bearer',
  'replication',
  'random',
  'pause',
  'requestLogSize',
] as const
const LISTEN_OPTIONS = ['port', 'host', 'hosts', 'limits'] as const
const DEFAULT_PORT = 10_002
const LAST_PORT = 65_535
const DEFAULT_HOST = '127.0.0.1'

/** Nobody connects to it: requests through the in-process transport never leave the process. */
const IN_PROCESS_ORIGIN = 'http://localhost'

/** An embedded service that listens. */
export interface LocalListener {
  /** The TCP port it listens on. */
  readonly port: number
  /** For any client of the protocol; names the service's first account and its key. */
  readonly connectionString: string
  /** Answers what has been asked, takes no more, and frees the port. The tables stay. */
  close(): Promise<void>
}

/** An embedded table service: see {@link localTableService}. */
export interface LocalTableService extends Controls {
  /** The names of its accounts; the first is the default. */
  readonly accounts: readonly string[]
  /** Carries requests to the service without a socket. */
  readonly transport: Transport
  /**
   * A connection string to use with {@link LocalTableService.transport}.
   *
   * @param account - one of the service's accounts; `@defaultValue` the first
   * @throws InputError (`InvalidAccount`) when the service has no such account
   */
  connectionString(account?: string): string
  /**
   * Opens the folder of a durable store now, where its errors are easiest to see; otherwise the
   * first request opens it. In memory there is nothing to open.
   *
   * @throws {@link StoreError} when the folder cannot be used; a later call tries again
   */
  open(): Promise<void>
  /**
   * Serves HTTP as well, to any client of the protocol. May be called more than once.
   *
   * @throws {@link ListenError} when the port is taken or the address is not this machine's
   * @throws TransportError (`ConnectionFailed`) when the service is closed
   * @throws InputError (`InvalidOptionValue`) for an invalid host, port or limit
   */
  listen(options?: ListenOptions): Promise<LocalListener>
  /** Stops listening, refuses further requests, answers those it has, and lets go of all tables. */
  close(): Promise<void>
}

/**
 * Makes an embedded table service: the protocol of Azure Table Storage, with its limits, its
 * errors and its authorization, on tables in memory or in a folder.
 *
 * @param options - accounts, folder, clock and ids
 * @throws InputError (`InvalidAccount`) for an invalid name or key of an account
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
  checkOptions(options, OPTIONS, 'localTableService')
  const service = createService(options)
  const { pause = machinePause } = options
  const responder: Responder = {
    deliver: (request, source) => deliverRequest(service, request, source),
    refuse: (request, fault) => deliverRejection(service, request, fault),
    pause,
  }
  const transport = inProcessTransport({
    deliver: (request) => deliverRequest(service, request),
    pause,
  })
  const listeners = new Listeners(responder)
  return {
    accounts: [...service.accounts.keys()],
    transport,
    ...controlsOf(service),
    connectionString: (account) => connectionStringAt(service, IN_PROCESS_ORIGIN, account),
    open: () => openStore(service),
    async listen(listenOptions = {}) {
      checkOptions(listenOptions, LISTEN_OPTIONS, 'listen')
      return listen(service, listeners, listenOptions)
    },
    async close() {
      await transport.close?.()
      await listeners.close()
      await service.store.close()
    },
  }
}

/** A store opens when it is first asked for something. */
async function openStore({ store }: Service): Promise<void> {
  await store.tableNames('')
}

async function listen(
  service: Service,
  listeners: Listeners,
  { host = DEFAULT_HOST, port: asked = DEFAULT_PORT, hosts, limits }: ListenOptions,
): Promise<LocalListener> {
  if (typeof host !== 'string' || host === '') {
    throw localInputError({
      code: 'InvalidOptionValue',
      message: 'The host of listen must be an address or a host name.',
    })
  }
  // Node would take text for the name of a pipe.
  if (!Number.isInteger(asked) || asked < 0 || asked > LAST_PORT) {
    throw localInputError({
      code: 'InvalidOptionValue',
      message: `The port of listen must be a whole number from 0 to ${LAST_PORT}; 0 takes any that is free.`,
    })
  }
  const listener = await listeners.start({
    host,
    port: asked,
    limits: readListenLimits(limits),
    hosts: readHostNames(hosts),
  })
  const { port } = listener
  return {
    port,
    connectionString: connectionStringAt(service, printOrigin(host, port), undefined),
    close: () => listener.close(),
  }
}

function connectionStringAt(service: Service, origin: string, account: string | undefined): string {
  const { name, key } = keyOfAccount(service.accounts, account)
  return printConnectionString(origin, name, key)
}
