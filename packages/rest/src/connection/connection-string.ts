import { declareOptions, isRowkeyError, trueOrFalse } from '@rowkey/odata'
import { type Endpoint, type Flavour, flavourRule } from '../endpoint/endpoint.ts'
import { type EndpointOptions, endpointOf } from '../endpoint/endpoint-of.ts'
import { restInputError } from '../errors/codes.ts'
import { SasCredential } from '../sas/sas-credential.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'

/** The name of the well-known account that every emulator of the service starts with. */
export const DEVELOPMENT_ACCOUNT = 'devstoreaccount1'

/** The key of {@link DEVELOPMENT_ACCOUNT}. It is published and the same everywhere. */
export const DEVELOPMENT_KEY: string =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** The port of the table service in emulators. */
const DEVELOPMENT_TABLE_PORT = 10002

/** Where to send and as whom, from a connection string. */
export interface ConnectionSettings {
  /** The account. */
  readonly endpoint: Endpoint
  /** Authorizes the requests. */
  readonly credential: SharedKeyCredential | SasCredential
}

/** The options of {@link parseConnectionString}. */
export interface ConnectionStringOptions {
  /**
   * The kind of service.
   *
   * @defaultValue what `Flavour` in the text says; without it, `'cosmos'` for the hosts of Cosmos DB, otherwise `'storage'`
   */
  readonly flavour?: Flavour | undefined
  /**
   * Whether this code runs on a server: see `SharedKeyOptions`. Node ignores it.
   *
   * @defaultValue `false`
   */
  readonly runsOnServer?: boolean | undefined
}

const connectionStringOptions = declareOptions<ConnectionStringOptions>({
  flavour: flavourRule,
  runsOnServer: trueOrFalse,
})

/**
 * Parses a connection string of Azure Storage, Cosmos DB or an emulator.
 *
 * It accepts `UseDevelopmentStorage=true` (with `DevelopmentStorageProxyUri`); `AccountName` and
 * `AccountKey` with `TableEndpoint`, or with `DefaultEndpointsProtocol` and `EndpointSuffix`; and
 * `SharedAccessSignature` with `TableEndpoint` or `AccountName`. `TableSecondaryEndpoint` can follow
 * `TableEndpoint`. `Flavour=cosmos` names the kind of service behind another host, as `rowkey serve`
 * prints it. A key takes precedence over a SAS. Names are case-insensitive; pairs of other services are
 * ignored.
 *
 * @param text - the connection string
 * @param options - options that a connection string cannot have
 * @throws `InputError` (`InvalidConnectionString`) with the pair that is wrong, without its value
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
  connectionStringOptions.check(options, 'parseConnectionString')
  const { runsOnServer } = options
  const pairs = readConnectionPairs(text)
  const flavour = options.flavour ?? readFlavour(pairs)
  if (pairs.usedevelopmentstorage !== undefined) {
    return readDevelopment(pairs, { flavour, runsOnServer })
  }
  if (pairs.accountkey !== undefined) {
    return readKey(pairs, pairs.accountkey, { flavour, runsOnServer })
  }
  if (pairs.sharedaccesssignature !== undefined) {
    return readSas(pairs, pairs.sharedaccesssignature, flavour)
  }
  throw invalid(
    'The connection string has no credential. Add AccountName and AccountKey, or SharedAccessSignature and TableEndpoint, or UseDevelopmentStorage=true.',
  )
}

function readFlavour({ flavour }: ConnectionPairs): Flavour | undefined {
  if (flavour === undefined || flavour === 'storage' || flavour === 'cosmos') return flavour
  throw invalid("Flavour in the connection string must be 'storage' or 'cosmos'.")
}

function readDevelopment(
  pairs: ConnectionPairs,
  { flavour, runsOnServer }: ConnectionStringOptions,
): ConnectionSettings {
  if (pairs.usedevelopmentstorage?.toLowerCase() !== 'true') {
    throw invalid("UseDevelopmentStorage must be 'true', or left out.")
  }
  const proxy = pairs.developmentstorageproxyuri ?? 'http://127.0.0.1'
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined
  if (url === undefined) {
    throw invalid('DevelopmentStorageProxyUri must be a URL such as http://127.0.0.1.')
  }
  const base = `${url.protocol}//${url.hostname}:${DEVELOPMENT_TABLE_PORT}/${DEVELOPMENT_ACCOUNT}`
  return {
    endpoint: readPart('DevelopmentStorageProxyUri', () =>
      endpointOf(base, { account: DEVELOPMENT_ACCOUNT, flavour }),
    ),
    credential: new SharedKeyCredential({
      account: DEVELOPMENT_ACCOUNT,
      key: DEVELOPMENT_KEY,
      runsOnServer,
    }),
  }
}

function readKey(
  pairs: ConnectionPairs,
  key: string,
  { flavour, runsOnServer }: ConnectionStringOptions,
): ConnectionSettings {
  const account = pairs.accountname
  if (account === undefined) {
    if (pairs.accountendpoint !== undefined) throw invalid(FOR_NOSQL)
    throw invalid('AccountName is missing: an AccountKey needs the name of its account.')
  }
  return {
    credential: readPart(
      'AccountName or AccountKey',
      () => new SharedKeyCredential({ account, key, runsOnServer }),
    ),
    endpoint: readEndpoint(pairs, { account, flavour }),
  }
}

const FOR_NOSQL =
  'The connection string, with AccountEndpoint, is for the NoSQL API of Cosmos DB. Use the one for Table: AccountName=…;AccountKey=…;TableEndpoint=https://<account>.table.cosmos.azure.com.'

function readSas(
  pairs: ConnectionPairs,
  token: string,
  flavour: Flavour | undefined,
): ConnectionSettings {
  const account = pairs.accountname
  if (account === undefined && pairs.tableendpoint === undefined) {
    throw invalid('TableEndpoint is missing: a SharedAccessSignature needs it, or AccountName.')
  }
  return {
    credential: readPart('SharedAccessSignature', () => new SasCredential(token)),
    endpoint: readEndpoint(pairs, { account, flavour }),
  }
}

function readEndpoint(pairs: ConnectionPairs, options: EndpointOptions): Endpoint {
  const url = endpointUrl(pairs, options.account ?? '')
  const endpoint = readPart('TableEndpoint', () => endpointOf(url, options))
  const secondary = pairs.tablesecondaryendpoint
  if (secondary === undefined) return endpoint
  if (pairs.tableendpoint === undefined) {
    throw invalid('TableEndpoint is missing: a TableSecondaryEndpoint needs it.')
  }
  return readPart('TableSecondaryEndpoint', () => endpointOf(url, { ...options, secondary }))
}

function endpointUrl(pairs: ConnectionPairs, account: string): string {
  if (pairs.tableendpoint !== undefined) return pairs.tableendpoint
  const protocol = pairs.defaultendpointsprotocol?.toLowerCase() ?? 'https'
  if (protocol !== 'http' && protocol !== 'https') {
    throw invalid("DefaultEndpointsProtocol must be 'http' or 'https'.")
  }
  // Some tools write the suffix with the dot that stands before it.
  const suffix = (pairs.endpointsuffix ?? 'core.windows.net').replace(/^\./, '')
  return `${protocol}://${account}.table.${suffix}`
}

/** Reads a part of the connection string, and adds its name to the error below. */
function readPart<Result>(pair: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    throw invalid(`${pair} in the connection string is invalid. ${error.message}`, error)
  }
}

function invalid(message: string, cause?: unknown): Error {
  const code = 'InvalidConnectionString'
  return restInputError(cause === undefined ? { code, message } : { code, message, cause })
}

const PAIR_NAMES = [
  'accountendpoint',
  'accountkey',
  'accountname',
  'defaultendpointsprotocol',
  'developmentstorageproxyuri',
  'endpointsuffix',
  'flavour',
  'sharedaccesssignature',
  'tableendpoint',
  'tablesecondaryendpoint',
  'usedevelopmentstorage',
] as const

type PairName = (typeof PAIR_NAMES)[number]

/** The pairs that concern tables, by their name in lower case. */
export type ConnectionPairs = Partial<Record<PairName, string>>

/**
 * Splits `name=value;name=value` into the pairs that concern tables; ignores the others.
 *
 * Each pair is split at its first `=`, because keys and SAS contain more of them.
 *
 * @param text - the connection string
 * @throws `InputError` (`InvalidConnectionString`) with the position of the pair, because its
 * text may be a piece of a key
 */
export function readConnectionPairs(text: string): ConnectionPairs {
  if (typeof text !== 'string' || text.trim() === '') {
    throw invalid('The connection string is empty. It looks like AccountName=…;AccountKey=….')
  }
  if (/^\s*https?:/i.test(text)) {
    throw invalid(
      'The connection string is a URL. Pass the URL as endpoint, with a credential, or a URL with a shared access signature to parseSasUrl.',
    )
  }
  if (/^\s*["']/.test(text)) {
    throw invalid(
      'The connection string begins with a quotation mark. Remove the quotation marks around it.',
    )
  }
  const pairs: ConnectionPairs = {}
  for (const [index, segment] of text.split(';').entries()) {
    if (segment.trim() !== '') readPair(segment, index + 1, pairs)
  }
  return pairs
}

function readPair(segment: string, position: number, pairs: ConnectionPairs): void {
  const place = `Pair ${position} of the connection string`
  const equals = segment.indexOf('=')
  if (equals < 1) {
    throw invalid(`${place} has no name and '='. It looks like AccountName=…;AccountKey=….`)
  }
  const name = segment.slice(0, equals).trim().toLowerCase()
  if (!isPairName(name)) return
  const value = segment.slice(equals + 1).trim()
  if (value === '') throw invalid(`${place}, ${name}, has no value.`)
  if (pairs[name] !== undefined && pairs[name] !== value) {
    throw invalid(`${place} gives ${name} a second value.`)
  }
  pairs[name] = value
}

function isPairName(name: string): name is PairName {
  return (PAIR_NAMES as readonly string[]).includes(name)
}
