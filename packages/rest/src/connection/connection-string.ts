import { isRowkeyError } from '@rowkey/odata'
import type { Endpoint } from '../endpoint.ts'
import { ConnectionStringError } from '../errors/connection-string-error.ts'
import { SasCredential } from '../sign/sas-credential.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'
import { type ConnectionPairs, readConnectionPairs } from './connection-pairs.ts'
import {
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  DEVELOPMENT_TABLE_PORT,
} from './development-account.ts'
import { endpointOf } from './endpoint-of.ts'

/** What a connection string says. */
export interface ConnectionSettings {
  /** Where the account's tables are. */
  readonly endpoint: Endpoint
  /** As whom to ask. */
  readonly credential: SharedKeyCredential | SasCredential
}

/**
 * Reads a connection string of Azure Storage, Cosmos DB or an emulator.
 *
 * Accepted are `UseDevelopmentStorage=true` (with `DevelopmentStorageProxyUri`); `AccountName` and
 * `AccountKey` with `TableEndpoint`, or with `DefaultEndpointsProtocol` and `EndpointSuffix`; and
 * `SharedAccessSignature` with `TableEndpoint` or `AccountName`. Beside `TableEndpoint` there may be
 * a `TableSecondaryEndpoint`. A key wins over a SAS. Names are case-insensitive; pairs of other
 * services are ignored.
 *
 * @param text - the connection string
 * @throws {@link ConnectionStringError} naming the pair that is wrong, never its value
 * @see https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
 *
 * @example
 * ```ts
 * parseConnectionString('UseDevelopmentStorage=true').endpoint.account // 'devstoreaccount1'
 * ```
 */
export function parseConnectionString(text: string): ConnectionSettings {
  const pairs = readConnectionPairs(text)
  if (pairs.usedevelopmentstorage !== undefined) return developmentSettings(pairs)
  if (pairs.accountkey !== undefined) return keySettings(pairs, pairs.accountkey)
  if (pairs.sharedaccesssignature !== undefined) {
    return sasSettings(pairs, pairs.sharedaccesssignature)
  }
  throw new ConnectionStringError({
    message:
      'The connection string holds no credential. Give AccountName and AccountKey, or SharedAccessSignature and TableEndpoint, or UseDevelopmentStorage=true.',
  })
}

function developmentSettings(pairs: ConnectionPairs): ConnectionSettings {
  if (pairs.usedevelopmentstorage?.toLowerCase() !== 'true') {
    throw new ConnectionStringError({
      message: "UseDevelopmentStorage can only be 'true'; leave it out otherwise.",
    })
  }
  const proxy = pairs.developmentstorageproxyuri ?? 'http://127.0.0.1'
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined
  if (url === undefined) {
    throw new ConnectionStringError({
      message: 'DevelopmentStorageProxyUri is not a URL such as http://127.0.0.1.',
    })
  }
  const base = `${url.protocol}//${url.hostname}:${DEVELOPMENT_TABLE_PORT}/${DEVELOPMENT_ACCOUNT}`
  return {
    endpoint: named('DevelopmentStorageProxyUri', () =>
      endpointOf(base, { account: DEVELOPMENT_ACCOUNT }),
    ),
    credential: new SharedKeyCredential({ account: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }),
  }
}

function keySettings(pairs: ConnectionPairs, key: string): ConnectionSettings {
  const account = pairs.accountname
  if (account === undefined) {
    throw new ConnectionStringError({
      message: 'AccountName is missing: an AccountKey needs the name of its account.',
    })
  }
  return {
    credential: named('AccountName or AccountKey', () => new SharedKeyCredential({ account, key })),
    endpoint: readEndpoint(pairs, account),
  }
}

function sasSettings(pairs: ConnectionPairs, token: string): ConnectionSettings {
  const account = pairs.accountname
  if (account === undefined && pairs.tableendpoint === undefined) {
    throw new ConnectionStringError({
      message: 'TableEndpoint is missing: a SharedAccessSignature needs it, or AccountName.',
    })
  }
  return {
    credential: named('SharedAccessSignature', () => new SasCredential(token)),
    endpoint: readEndpoint(pairs, account),
  }
}

function readEndpoint(pairs: ConnectionPairs, account: string | undefined): Endpoint {
  const url = endpointUrl(pairs, account ?? '')
  const endpoint = named('TableEndpoint', () => endpointOf(url, { account }))
  const secondary = pairs.tablesecondaryendpoint
  if (secondary === undefined) return endpoint
  if (pairs.tableendpoint === undefined) {
    throw new ConnectionStringError({
      message: 'TableEndpoint is missing: a TableSecondaryEndpoint needs it.',
    })
  }
  return named('TableSecondaryEndpoint', () => endpointOf(url, { account, secondary }))
}

function endpointUrl(pairs: ConnectionPairs, account: string): string {
  if (pairs.tableendpoint !== undefined) return pairs.tableendpoint
  const protocol = pairs.defaultendpointsprotocol?.toLowerCase() ?? 'https'
  if (protocol !== 'http' && protocol !== 'https') {
    throw new ConnectionStringError({
      message: "DefaultEndpointsProtocol must be 'http' or 'https'.",
    })
  }
  return `${protocol}://${account}.table.${pairs.endpointsuffix ?? 'core.windows.net'}`
}

/** Says which pair of the connection string was wrong; the error below says why. */
function named<Result>(pair: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    throw new ConnectionStringError({
      message: `${pair} in the connection string is wrong. ${error.message}`,
      cause: error,
    })
  }
}
