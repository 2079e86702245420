import { isAccountName } from './account-name.ts'
import { withChecks } from './checks/with-checks.ts'
import { checkSecureEndpoint } from './connection/check-secure-endpoint.ts'
import { type ConnectionSettings, parseConnectionString } from './connection/connection-string.ts'
import { checkFlavour, endpointOf } from './connection/endpoint-of.ts'
import type { Endpoint, Flavour } from './endpoint.ts'
import { OptionValueError } from './errors/option-value-error.ts'
import type { Credential } from './sign/credential.ts'
import { SharedKeyCredential } from './sign/shared-key-credential.ts'
import type { TableServiceSettings } from './table-service-settings.ts'

/** Where a {@link TableService} sends and as whom, as one string. */
export interface ConnectionStringAddress {
  /** What {@link parseConnectionString} reads. */
  readonly connectionString: string
  /** Is in the connection string. */
  readonly endpoint?: undefined
  /** Is in the connection string. */
  readonly credential?: undefined
  /**
   * Which service stands behind the endpoint, when its host does not show it.
   *
   * @defaultValue `'cosmos'` for the hosts of Cosmos DB, otherwise `'storage'`
   */
  readonly flavour?: Flavour | undefined
}

/** Where a {@link TableService} sends and as whom, one by one. */
export interface EndpointAddress {
  /** Is not given. */
  readonly connectionString?: undefined
  /** The URL of the account's table service, or what {@link endpointOf} made of one. */
  readonly endpoint: string | Endpoint
  /** As whom to ask. */
  readonly credential: Credential
  /**
   * Which service stands behind the endpoint, when its host does not show it.
   *
   * @defaultValue `'cosmos'` for the hosts of Cosmos DB, otherwise `'storage'`
   */
  readonly flavour?: Flavour | undefined
}

/** What {@link tableService} takes: where to send, as whom, and how. */
export type TableServiceOptions = TableServiceSettings & (ConnectionStringAddress | EndpointAddress)

/** The names of {@link TableServiceOptions}, for {@link checkOptions}. */
export const TABLE_SERVICE_OPTION_NAMES: readonly string[] = [
  'allowInsecure',
  'checks',
  'connectionString',
  'context',
  'credential',
  'deadline',
  'endpoint',
  'flavour',
  'locationMode',
  'newId',
  'now',
  'onAttempt',
  'onEvent',
  'percentKeys',
  'random',
  'retry',
  'retryBudget',
  'sleep',
  'timeout',
  'transport',
]

/** Where to send and as whom. */
export interface ResolvedAddress {
  readonly endpoint: Endpoint
  readonly credential: Credential
}

/**
 * Where options say to send, and as whom.
 *
 * @param options - the options of a service
 * @throws an InputError when they say nothing usable, or plain http to another machine
 */
export function resolveAddress(options: TableServiceOptions): ResolvedAddress {
  const { flavour } = options
  if (flavour !== undefined) checkFlavour(flavour)
  const { endpoint, credential } = addressOf(options)
  const resolved = flavour === undefined ? endpoint : withFlavour(endpoint, flavour)
  checkSecureEndpoint(resolved, options.allowInsecure === true)
  checkPercentKeys(options.percentKeys)
  return { endpoint: withChecks(resolved, options.checks), credential }
}

function addressOf(options: TableServiceOptions): ConnectionSettings | ResolvedAddress {
  const { connectionString, endpoint, credential } = options
  if (connectionString !== undefined) {
    if (endpoint === undefined && credential === undefined) {
      return parseConnectionString(connectionString, { flavour: options.flavour })
    }
  } else if (endpoint !== undefined && typeof credential?.authorize === 'function') {
    if (typeof endpoint !== 'string') return { endpoint: checkEndpoint(endpoint), credential }
    const account = credential instanceof SharedKeyCredential ? credential.account : undefined
    return { endpoint: endpointOf(endpoint, { account, flavour: options.flavour }), credential }
  }
  throw new OptionValueError({
    message:
      'tableService needs to know where to send and as whom: either connectionString alone, or endpoint and credential.',
  })
}

function checkPercentKeys(given: unknown): void {
  if (given === undefined || given === 'path' || given === 'batch') return
  throw new OptionValueError({ message: "percentKeys must be 'path' or 'batch'." })
}

function withFlavour(endpoint: Endpoint, flavour: Flavour): Endpoint {
  return Object.freeze({ ...endpoint, flavour: checkFlavour(flavour) })
}

/** From an object in place of a URL, everything that {@link endpointOf} gives must be there. */
function checkEndpoint(endpoint: Endpoint): Endpoint {
  const isWhole = typeof endpoint?.origin === 'string' && typeof endpoint.basePath === 'string'
  if (isWhole && isAccountName(endpoint.account)) return withFlavour(endpoint, endpoint.flavour)
  throw new OptionValueError({
    message: 'The endpoint of tableService must be a URL, or what endpointOf made of one.',
  })
}
