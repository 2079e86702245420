import {
  type AccessTokenSource,
  type Credential,
  checkOptions,
  type Endpoint,
  endpointOf,
  exponentialRetry,
  type Flavour,
  noRetry,
  type OptionNames,
  parseConnectionString,
  parseSasUrl,
  type RetryPolicy,
  type TableService,
  type TableServiceSettings,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { checkRecord, invalidArgument } from '../errors/check-arguments.ts'
import { currentCredential, type NamedKeyCredential, type SASCredential } from './credentials.ts'

/** How often and when failed requests are sent again. */
export interface RetryOptions {
  /**
   * The most retries of one call; 0 for none.
   *
   * @defaultValue `3`
   */
  readonly maxRetries?: number | undefined
  /**
   * Milliseconds before the first retry at the most; each further wait may be twice as long.
   *
   * @defaultValue `500`
   */
  readonly retryDelayInMs?: number | undefined
  /**
   * The longest wait in milliseconds.
   *
   * @defaultValue `30_000`
   */
  readonly maxRetryDelayInMs?: number | undefined
}

/** The options of {@link TableClient} and {@link TableServiceClient}. */
export interface TableServiceClientOptions {
  /**
   * Whether plain http to another machine is allowed.
   *
   * @defaultValue `false`; loopback is always allowed
   */
  readonly allowInsecureConnection?: boolean | undefined
  /** Retries of failed requests. */
  readonly retryOptions?: RetryOptions | undefined
  /** Sends the requests, for example a transport of the embedded service. */
  readonly transport?: Transport | undefined
  /** The kind of service, for a host that does not show it. */
  readonly flavour?: Flavour | undefined
}

/** A key, a SAS, a token source such as `DefaultAzureCredential`, or a credential of Rowkey. */
export type ClientCredential = NamedKeyCredential | SASCredential | AccessTokenSource | Credential

const OPTION_NAMES: OptionNames<TableServiceClientOptions> = {
  allowInsecureConnection: true,
  flavour: true,
  retryOptions: true,
  transport: true,
}

const RETRY_NAMES: OptionNames<RetryOptions> = {
  maxRetries: true,
  maxRetryDelayInMs: true,
  retryDelayInMs: true,
}

/**
 * Opens an account for a client.
 *
 * @param url - the endpoint, with a SAS as its query if `credential` is absent
 * @param credential - a credential of the official client's forms
 * @param options - the client's options
 * @param where - the class, for messages
 * @throws InputError for an invalid URL, credential or option
 */
export function openService(
  url: string | Endpoint,
  credential: ClientCredential | undefined,
  options: TableServiceClientOptions,
  where: string,
): TableService {
  const settings = settingsOf(options, where)
  if (credential !== undefined) {
    const endpoint = endpointFor(url, credential, settings.flavour)
    return tableService({ ...settings, endpoint, credential: toCredential(credential) })
  }
  if (!String(url).includes('?')) {
    throw invalidArgument(
      `${where} needs a credential after the URL, or a SAS as the query of the URL.`,
    )
  }
  const { endpoint, credential: sas } = parseSasUrl(String(url))
  return tableService({ ...settings, endpoint, credential: sas })
}

/**
 * Splits the arguments after the name: a credential with options, or options alone.
 *
 * @param first - a credential or options
 * @param options - the options after a credential
 */
export function splitCredential(
  first: ClientCredential | TableServiceClientOptions | undefined,
  options: TableServiceClientOptions = {},
): readonly [ClientCredential | undefined, TableServiceClientOptions] {
  return isCredential(first) ? [first, options] : [undefined, first ?? {}]
}

function isCredential(
  first: ClientCredential | TableServiceClientOptions | undefined,
): first is ClientCredential {
  return CREDENTIAL_MEMBERS.some((member) => member in Object(first))
}

/** A custom domain does not contain the account's name, but a key does. */
function endpointFor(
  url: string | Endpoint,
  credential: ClientCredential,
  flavour: Flavour | undefined,
): Endpoint {
  if (typeof url !== 'string') return url
  const account = 'name' in credential ? credential.name : undefined
  return endpointOf(url, { account, flavour })
}

const CREDENTIAL_MEMBERS = ['key', 'signature', 'getToken', 'authorize']

function toCredential(credential: ClientCredential): Credential | AccessTokenSource {
  return 'getToken' in credential || 'authorize' in credential
    ? credential
    : currentCredential(credential)
}

function settingsOf(
  options: TableServiceClientOptions,
  where: string,
): TableServiceSettings & { flavour?: Flavour | undefined } {
  checkOptions(options, OPTION_NAMES, where)
  const { allowInsecureConnection, retryOptions, transport, flavour } = options
  return {
    allowInsecure: allowInsecureConnection,
    ...(transport === undefined ? {} : { transport }),
    ...(flavour === undefined ? {} : { flavour }),
    ...(retryOptions === undefined ? {} : { retry: retryPolicyOf(retryOptions) }),
  }
}

function retryPolicyOf(options: RetryOptions): RetryPolicy {
  checkOptions(options, RETRY_NAMES, 'retryOptions')
  const { maxRetries = 3, retryDelayInMs, maxRetryDelayInMs } = options
  if (!(Number.isSafeInteger(maxRetries) && maxRetries >= 0)) {
    throw invalidArgument('maxRetries of retryOptions must be a whole number from 0.')
  }
  if (maxRetries === 0) return noRetry
  return exponentialRetry({
    attempts: maxRetries + 1,
    ...(retryDelayInMs === undefined ? {} : { baseDelay: retryDelayInMs }),
    ...(maxRetryDelayInMs === undefined ? {} : { maxDelay: maxRetryDelayInMs }),
  })
}

/**
 * Parses the connection string of a client.
 *
 * @throws InputError for an invalid connection string, and for options that are not an object
 */
export function fromConnectionString(
  connectionString: string,
  options: TableServiceClientOptions,
  where: string,
): ReturnType<typeof parseConnectionString> {
  checkRecord(options, `The options of ${where}`)
  return parseConnectionString(connectionString, { flavour: options.flavour })
}

/** Returns the URL of an account, without a SAS. */
export function urlOf({ endpoint: { origin, basePath } }: TableService): string {
  return origin + basePath
}
