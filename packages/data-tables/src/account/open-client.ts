import {
  type AccessTokenSource,
  type Credential,
  type Endpoint,
  endpointOf,
  parseConnectionString,
  parseSasUrl,
  SharedKeyCredential,
  type TableService,
  tableService,
} from '@rowkey/rest'
import { checkRecord } from '../errors/check-arguments.ts'
import { PolicyPipeline } from '../pipeline/pipeline.ts'
import { withAttemptPolicies } from '../pipeline/pipeline-transport.ts'
import {
  checkUserAgent,
  retryOf,
  type TableServiceClientOptions,
  transportOf,
} from './client-options.ts'
import {
  anonymous,
  type ClientCredential,
  isCredential,
  sasOf,
  toCredential,
} from './credentials.ts'

/** What both clients send with. */
export interface OpenClient {
  /** Where to send, as whom, and how. */
  readonly service: TableService
  /** The caller's policies. */
  readonly pipeline: PolicyPipeline
  /** The options of the client. */
  readonly options: TableServiceClientOptions
}

/**
 * Opens the account of a client.
 *
 * @param url - the URL of the account; its query is a SAS, if `first` is not a credential
 * @param first - a credential or the options
 * @param second - the options after a credential
 * @param where - the class, for messages
 * @throws InputError for an invalid URL, credential or option
 */
export function openClient(
  url: string | Endpoint,
  first: ClientCredential | TableServiceClientOptions | undefined,
  second: TableServiceClientOptions | undefined,
  where: string,
): OpenClient {
  const given = isCredential(first) ? first : undefined
  const options = (given === undefined ? (first as TableServiceClientOptions) : second) ?? {}
  checkRecord(options, `The options of ${where}`)
  checkUserAgent(options)
  const { allowInsecureConnection, retryOptions, flavour, additionalPolicies = [] } = options
  const transport = transportOf(options, where)
  const { endpoint, credential } = addressOf(options.endpoint ?? url, given, options)
  const service = tableService({
    endpoint: withSecondary(endpoint),
    credential,
    allowInsecure: allowInsecureConnection,
    // The service's errors are those that programs know.
    checks: 'by the service',
    ...(flavour === undefined ? {} : { flavour }),
    ...(transport === undefined ? {} : { transport }),
    ...(retryOptions === undefined ? {} : { retry: retryOf(retryOptions) }),
  })
  const pipeline = new PolicyPipeline()
  for (const { policy, position } of additionalPolicies) {
    pipeline.addPolicy(policy, position === 'perRetry' ? { afterPhase: 'Sign' } : {})
  }
  const sending = withAttemptPolicies(pipeline, service.transport)
  return { service: { ...service, transport: sending }, pipeline, options }
}

/** Where to send, and as whom. */
interface Address {
  readonly endpoint: Endpoint
  readonly credential: Credential | AccessTokenSource
}

function addressOf(
  url: string | Endpoint,
  given: ClientCredential | undefined,
  { flavour }: TableServiceClientOptions,
): Address {
  const credential = given === undefined ? anonymous : toCredential(given)
  if (typeof url !== 'string') return { endpoint: url, credential }
  const [base = '', query] = url.split('?', 2)
  // A custom domain does not contain the account's name, but a key does.
  const account = given !== undefined && 'name' in given ? given.name : undefined
  const shown = withoutAccount(base)
  if (given === undefined && query) {
    const endpoint = shown === undefined ? parseSasUrl(url).endpoint : endpointOf(base, shown)
    return { endpoint, credential: sasOf(query) }
  }
  return {
    endpoint: endpointOf(base, { flavour, ...shown, ...(account && { account }) }),
    credential,
  }
}

/** A domain of the caller, and the emulator of Cosmos DB, need no name when a key does not sign with it. */
function withoutAccount(url: string): { account: string; flavour?: 'cosmos' } | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || parsed.pathname !== '/' || parsed.hostname.includes('.table.')) {
    return undefined
  }
  const account = parsed.hostname.replaceAll(/[^\w.-]/g, '')
  return parsed.hostname === 'localhost' ? { account, flavour: 'cosmos' } : { account }
}

/** A URL that shows no secondary may be that of one. Only statistics are read there. */
function withSecondary(endpoint: Endpoint): Endpoint {
  const { origin, basePath, flavour, secondary } = endpoint
  if (secondary !== undefined || flavour === 'cosmos') return endpoint
  return { ...endpoint, secondary: { origin, basePath } }
}

const SAS_PAIR = /(?:^|;)\s*SharedAccessSignature=([^;]*)/i

/**
 * Reads the URL and the credential of a connection string.
 *
 * @param connectionString - the connection string
 * @param options - the options of the client
 * @param where - the class, for messages
 * @throws InputError for an invalid connection string, and for options that are not an object
 */
export function fromConnectionString(
  connectionString: string,
  options: TableServiceClientOptions,
  where: string,
): Address {
  checkRecord(options, `The options of ${where}`)
  const { flavour } = options
  const { endpoint, credential } = parseConnectionString(connectionString, { flavour })
  const sas = SAS_PAIR.exec(connectionString)?.[1]
  if (credential instanceof SharedKeyCredential || sas === undefined)
    return { endpoint, credential }
  return { endpoint, credential: sasOf(sas) }
}

/** Returns the URL of an account. */
export function urlOf({ origin, basePath }: Endpoint): string {
  return origin + basePath
}
