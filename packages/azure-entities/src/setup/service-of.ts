import type { LocalTableService } from '@rowkey/local'
import {
  SasCredential,
  SasProviderCredential,
  SharedKeyCredential,
  type TableService,
  type Transport,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { agentTransport } from './agent-transport.ts'
import { type AccountCredentials, invalidSetup, type SetupOptions } from './setup-options.ts'

let local: Promise<LocalTableService> | undefined
let service: TableService | undefined

/**
 * Returns the service of the tables in this process, which all classes share. It is an embedded table
 * service of its own; it is loaded by the first call.
 */
function inMemoryService(): TableService {
  const transport: Transport = async (request, limits) => {
    local ??= import('@rowkey/local').then(({ localTableService }) => localTableService())
    return (await local).transport(request, limits)
  }
  service ??= tableService({ connectionString: 'UseDevelopmentStorage=true', transport })
  return service
}

/**
 * Returns the service that the credentials of `setup` lead to.
 *
 * @throws InputError (`InvalidSetup`) for incomplete credentials
 */
export function serviceOf(options: SetupOptions): TableService {
  const { service, account, credentials } = options
  if (service !== undefined) return service
  if (!('credentials' in options)) {
    throw invalidSetup("credentials is required. It may be null when account is 'inMemory'.")
  }
  if (account === 'inMemory' || credentials === 'inMemory') return inMemoryService()
  if (typeof credentials !== 'object' || credentials === null) {
    throw invalidSetup("credentials must be an object with the account and its key, or 'inMemory'.")
  }
  return accountService(account, credentials, transportOf(options))
}

/** All classes share its connections, as they do in that library. */
let shared: Transport | undefined

function transportOf({ agent }: SetupOptions): Transport {
  if (agent !== undefined) return agentTransport(agent)
  shared ??= undiciTransport()
  return shared
}

function accountService(
  account: string | undefined,
  given: AccountCredentials,
  transport: Transport,
): TableService {
  const { connectionString } = given
  if (connectionString !== undefined) return tableService({ connectionString, transport })
  const name = given.accountId ?? given.accountName ?? account
  if (name === undefined)
    throw invalidSetup('credentials.accountId is required: the name of the account.')
  return tableService({
    endpoint: `https://${name}.table.core.windows.net`,
    credential: credentialOf(name, given),
    transport,
  })
}

function credentialOf(account: string, given: AccountCredentials) {
  const { sas, accessKey: key = given.accountKey } = given
  if (typeof sas === 'function') return new SasProviderCredential({ provide: sas })
  if (sas !== undefined) return new SasCredential(sas)
  if (key !== undefined) return new SharedKeyCredential({ account, key })
  throw invalidSetup(
    'credentials needs accessKey or sas. In place of clientId and accessToken, pass sas: a function that gets a signature.',
  )
}

/** Tells whether a service sends shared access signatures, which cannot create tables. */
export const sendsSas = ({ credential }: TableService): boolean =>
  credential instanceof SasCredential || credential instanceof SasProviderCredential
