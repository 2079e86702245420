import { checkValue, InputError, rule } from '@rowkey/odata'
import {
  type AccessTokenSource,
  type Credential,
  type Endpoint,
  endpointOf,
  parseConnectionString,
  parseSasUrl,
  SharedKeyCredential,
  type TableService,
  type TableServiceOptions,
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
  base64In,
  type ClientCredential,
  isCredential,
  sasOf,
  sharedKeyOf,
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
  checkValue(url, anAddress, 'url', where)
  const { endpoint, credential } = addressIn(options, given) ?? addressOf(url, given, options)
  const settings: TableServiceOptions = {
    endpoint: withSecondary(endpoint),
    credential,
    allowInsecure: allowInsecureConnection,
    // The service's errors are those that programs know.
    checks: 'by the service',
    ...(flavour === undefined ? {} : { flavour }),
    ...(transport === undefined ? {} : { transport }),
    ...(retryOptions === undefined ? {} : { retry: retryOf(retryOptions) }),
  }
  const service = openService(settings)
  const pipeline = new PolicyPipeline()
  for (const { policy, position } of additionalPolicies) {
    pipeline.addPolicy(policy, position === 'perRetry' ? { afterPhase: 'Sign' } : {})
  }
  const sending = withAttemptPolicies(pipeline, service.transport)
  return { service: { ...service, transport: sending }, pipeline, options }
}

/** Opens an account; messages use the name that the option has here. */
function openService(options: TableServiceOptions): TableService {
  try {
    return tableService(options)
  } catch (error) {
    if (!(error instanceof InputError && error.code === 'InsecureEndpoint')) throw error
    const message = error.message.replace('allowInsecure:', 'allowInsecureConnection:')
    throw new InputError({ code: error.code, message })
  }
}

const anAddress = rule(
  'the URL of an account',
  (url) => typeof url === 'string' || (typeof url === 'object' && url !== null),
)

/** Where to send, and as whom. */
interface Address {
  readonly endpoint: Endpoint
  readonly credential: Credential | AccessTokenSource
}

/**
 * Returns the address of the option `endpoint`, which replaces the URL; `undefined` without it. As in the official
 * client, calls report a text that is not a URL.
 */
function addressIn(
  options: TableServiceClientOptions,
  given: ClientCredential | undefined,
): Address | undefined {
  const { endpoint } = options
  if (!endpoint) return undefined
  try {
    return addressOf(endpoint, given, options)
  } catch (error) {
    if (typeof endpoint !== 'string' || URL.canParse(endpoint)) throw error
    const authorize = (): never => {
      throw error
    }
    return { endpoint: endpointOf('https://endpoint.invalid', NOT_SENT), credential: { authorize } }
  }
}

/** The account of an endpoint that no request goes to. */
const NOT_SENT = { account: 'invalid' }

function addressOf(
  url: string | Endpoint,
  given: ClientCredential | undefined,
  { flavour }: TableServiceClientOptions,
): Address {
  const credential = given === undefined ? anonymous : toCredential(given)
  if (typeof url !== 'string') return { endpoint: url, credential }
  const [base = '', query] = url.split('?', 2)
  // A custom domain does not contain the account's name, but a key does. The service rejects the key of another account.
  const hasName = given !== undefined && 'name' in given && !ON_AZURE.test(base)
  const account = hasName ? given.name : undefined
  const shown = withoutAccount(base)
  if (given === undefined && query) {
    const endpoint =
      shown === undefined ? parseSasUrl(withAnySignature(url)).endpoint : endpointOf(base, shown)
    return { endpoint, credential: sasOf(query) }
  }
  return {
    endpoint: endpointOf(base, { flavour, ...shown, ...(account && { account }) }),
    credential,
  }
}

/** The URL of an account whose host shows its name. */
const ON_AZURE = /^https?:\/\/([^./]+)\.table\.core\./i

/** Replaces the signature of a SAS where only the URL around it is read: the service checks the signature. */
function withAnySignature(text: string): string {
  return text.replaceAll(/(?<=[?&=])sig=[^&;]*/g, `sig=${'A'.repeat(43)}%3D`)
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
const KEY_PAIR = /(?<=(?:^|;)\s*AccountKey=)[^;]+/i
const NAME_PAIR = /(?<=(?:^|;)\s*AccountName=)[^;]+/i
const ENDPOINT_PAIR = /(?<=(?:^|;)\s*TableEndpoint=)[^;]+/i

/**
 * Reads the URL and the credential of a connection string. The URL has the SAS, as in the official client, so that
 * programs can open others with it.
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
): Address & { readonly url: string } {
  checkRecord(options, `The options of ${where}`)
  const { flavour } = options
  const text =
    typeof connectionString === 'string' ? connectionString.replace(KEY_PAIR, base64In) : ''
  const read = parseConnectionString(withAnySignature(withShownAccount(text)), { flavour })
  const { endpoint } = read
  const url = urlOf(endpoint)
  const sas = SAS_PAIR.exec(text)?.[1]?.replace(/^\?/, '')
  if (read.credential instanceof SharedKeyCredential || sas === undefined) {
    return { endpoint, credential: signerIn(text) ?? read.credential, url }
  }
  return { endpoint, credential: sasOf(sas), url: `${url}?${sas}` }
}

/** Names the account of the endpoint in place of that of the key, which may be another: the service rejects its key. */
function withShownAccount(text: string): string {
  const shown = ON_AZURE.exec(ENDPOINT_PAIR.exec(text)?.[0].trim() ?? '')?.[1]
  return shown === undefined ? text : text.replace(NAME_PAIR, shown.replace(/-secondary$/, ''))
}

function signerIn(text: string): SharedKeyCredential | undefined {
  const name = NAME_PAIR.exec(text)?.[0].trim()
  const key = KEY_PAIR.exec(text)?.[0].trim()
  return name === undefined || key === undefined ? undefined : sharedKeyOf(name, key)
}

/** Returns the URL of an account. */
export function urlOf({ origin, basePath }: Endpoint): string {
  return origin + basePath
}
