import { isRowkeyError } from '@rowkey/odata'
import type { Endpoint, Flavour } from '../endpoint/endpoint.ts'
import { type EndpointOptions, endpointOf } from '../endpoint/endpoint-of.ts'
import { restInputError } from '../errors/codes.ts'

import { checkOptions } from '../options/check-options.ts'
import { SasCredential } from '../sas/sas-credential.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'

/** What a connection string says. */
export interface ConnectionSettings {
  /** Where the account's tables are. */
  readonly endpoint: Endpoint
  /** As whom to ask. */
  readonly credential: SharedKeyCredential | SasCredential
}

/** What a connection string does not say. */
export interface ConnectionStringOptions {
  /**
   * Which service stands behind the endpoint.
   *
   * @defaultValue `'cosmos'` for the hosts of Cosmos DB, otherwise `'storage'`
   */
  readonly flavour?: Flavour | undefined
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
 * @param options - what it does not say
 * @throws {@link InputError} (`InvalidConnectionString`) naming the pair that is wrong, never its value
 * @see https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
 *
 * @example
 * ```ts
 * parseConnectionString('UseDevelopmentStorage=true').endpoint.account // 'devstoreaccount1'
 * ```
 */
export function parseConnectionString(
  text: string,
  options: ConnectionStringOptions = {},
): ConnectionSettings {
  checkOptions(options, ['flavour'], 'parseConnectionString')
  const { flavour } = options
  const pairs = readConnectionPairs(text)
  if (pairs.usedevelopmentstorage !== undefined) return developmentSettings(pairs, flavour)
  if (pairs.accountkey !== undefined) return keySettings(pairs, pairs.accountkey, flavour)
  if (pairs.sharedaccesssignature !== undefined) {
    return sasSettings(pairs, pairs.sharedaccesssignature, flavour)
  }
  throw restInputError({
    code: 'InvalidConnectionString',
    message:
      'The connection string holds no credential. Give AccountName and AccountKey, or SharedAccessSignature and TableEndpoint, or UseDevelopmentStorage=true.',
  })
}

function developmentSettings(
  pairs: ConnectionPairs,
  flavour: Flavour | undefined,
): ConnectionSettings {
  if (pairs.usedevelopmentstorage?.toLowerCase() !== 'true') {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: "UseDevelopmentStorage can only be 'true'; leave it out otherwise.",
    })
  }
  const proxy = pairs.developmentstorageproxyuri ?? 'http://127.0.0.1'
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined
  if (url === undefined) {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: 'DevelopmentStorageProxyUri is not a URL such as http://127.0.0.1.',
    })
  }
  const base = `${url.protocol}//${url.hostname}:${DEVELOPMENT_TABLE_PORT}/${DEVELOPMENT_ACCOUNT}`
  return {
    endpoint: named('DevelopmentStorageProxyUri', () =>
      endpointOf(base, { account: DEVELOPMENT_ACCOUNT, flavour }),
    ),
    credential: new SharedKeyCredential({ account: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY }),
  }
}

function keySettings(
  pairs: ConnectionPairs,
  key: string,
  flavour: Flavour | undefined,
): ConnectionSettings {
  const account = pairs.accountname
  if (account === undefined) {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: 'AccountName is missing: an AccountKey needs the name of its account.',
    })
  }
  return {
    credential: named('AccountName or AccountKey', () => new SharedKeyCredential({ account, key })),
    endpoint: readEndpoint(pairs, { account, flavour }),
  }
}

function sasSettings(
  pairs: ConnectionPairs,
  token: string,
  flavour: Flavour | undefined,
): ConnectionSettings {
  const account = pairs.accountname
  if (account === undefined && pairs.tableendpoint === undefined) {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: 'TableEndpoint is missing: a SharedAccessSignature needs it, or AccountName.',
    })
  }
  return {
    credential: named('SharedAccessSignature', () => new SasCredential(token)),
    endpoint: readEndpoint(pairs, { account, flavour }),
  }
}

function readEndpoint(pairs: ConnectionPairs, options: EndpointOptions): Endpoint {
  const url = endpointUrl(pairs, options.account ?? '')
  const endpoint = named('TableEndpoint', () => endpointOf(url, options))
  const secondary = pairs.tablesecondaryendpoint
  if (secondary === undefined) return endpoint
  if (pairs.tableendpoint === undefined) {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: 'TableEndpoint is missing: a TableSecondaryEndpoint needs it.',
    })
  }
  return named('TableSecondaryEndpoint', () => endpointOf(url, { ...options, secondary }))
}

function endpointUrl(pairs: ConnectionPairs, account: string): string {
  if (pairs.tableendpoint !== undefined) return pairs.tableendpoint
  const protocol = pairs.defaultendpointsprotocol?.toLowerCase() ?? 'https'
  if (protocol !== 'http' && protocol !== 'https') {
    throw restInputError({
      code: 'InvalidConnectionString',
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
    throw restInputError({
      code: 'InvalidConnectionString',
      message: `${pair} in the connection string is wrong. ${error.message}`,
      cause: error,
    })
  }
}

const NAMES = [
  'accountkey',
  'accountname',
  'defaultendpointsprotocol',
  'developmentstorageproxyuri',
  'endpointsuffix',
  'sharedaccesssignature',
  'tableendpoint',
  'tablesecondaryendpoint',
  'usedevelopmentstorage',
] as const

type ConnectionPairName = (typeof NAMES)[number]

/** The pairs that say something about tables, by their name in lower case. */
export type ConnectionPairs = Partial<Record<ConnectionPairName, string>>

/**
 * Splits `name=value;name=value` into the pairs that are about tables; the others are ignored.
 *
 * A value may hold `=`, as keys and SAS do; so a pair is split at its first.
 *
 * @param text - the connection string
 * @throws {@link InputError} (`InvalidConnectionString`) naming a pair by its position, because what stands there may
 * be a piece of a key
 */
export function readConnectionPairs(text: string): ConnectionPairs {
  if (typeof text !== 'string' || text.trim() === '') {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: 'The connection string is empty. It looks like AccountName=…;AccountKey=….',
    })
  }
  const pairs: ConnectionPairs = {}
  for (const [index, segment] of text.split(';').entries()) {
    if (segment.trim() !== '') readPair(segment, index + 1, pairs)
  }
  return pairs
}

function readPair(segment: string, position: number, pairs: ConnectionPairs): void {
  const equals = segment.indexOf('=')
  if (equals < 1) {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: `Pair ${position} of the connection string has no name and '='. It looks like AccountName=…;AccountKey=….`,
    })
  }
  const name = segment.slice(0, equals).trim().toLowerCase()
  if (!isPairName(name)) return
  const value = segment.slice(equals + 1).trim()
  if (value === '') {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: `Pair ${position} of the connection string, ${name}, has no value.`,
    })
  }
  if (pairs[name] !== undefined && pairs[name] !== value) {
    throw restInputError({
      code: 'InvalidConnectionString',
      message: `Pair ${position} of the connection string gives ${name} a second value.`,
    })
  }
  pairs[name] = value
}

function isPairName(name: string): name is ConnectionPairName {
  return (NAMES as readonly string[]).includes(name)
}

/** The name of the well-known account that every emulator of the service starts with. */
export const DEVELOPMENT_ACCOUNT = 'devstoreaccount1'

/** The key of {@link DEVELOPMENT_ACCOUNT}. It is published, the same everywhere, and guards nothing. */
export const DEVELOPMENT_KEY: string =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** The port on which emulators serve tables. */
export const DEVELOPMENT_TABLE_PORT = 10002
