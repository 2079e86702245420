import { isAccountName } from './account-name.ts'
import type { CheckChoices, CheckPlace } from './checks/check-name.ts'
import { withChecks } from './checks/with-checks.ts'
import { checkSecureEndpoint } from './connection/check-secure-endpoint.ts'
import { type ConnectionSettings, parseConnectionString } from './connection/connection-string.ts'
import { endpointOf } from './connection/endpoint-of.ts'
import type { Endpoint, Flavour } from './endpoint.ts'
import { OptionValueError } from './errors/option-value-error.ts'
import type { Transport } from './http/transport.ts'
import type { CallListener } from './observe/call-event.ts'
import type { AttemptResult } from './retry/attempt-result.ts'
import type { LocationMode } from './retry/location-mode.ts'
import type { OperationContext } from './retry/operation-context.ts'
import type { RetryBudget } from './retry/retry-budget.ts'
import type { RetryPolicy } from './retry/retry-policy.ts'
import type { Sleep } from './retry/sleep.ts'
import type { Credential } from './sign/credential.ts'
import { SharedKeyCredential } from './sign/shared-key-credential.ts'

/**
 * How an entity is asked for whose key has a percent sign: by its path as any other, or in a batch of
 * its own, for services that decode a path twice.
 */
export type PercentKeys = 'batch' | 'path'

/** How a {@link TableService} sends; everything has a default. */
export interface TableServiceSettings {
  /**
   * Whether plain http to another machine is allowed.
   *
   * @defaultValue `false`
   */
  readonly allowInsecure?: boolean | undefined
  /**
   * Where rules of the service are checked, all of them or each by its name: before anything is sent,
   * or by the service, which then answers with its own error.
   *
   * @defaultValue `'before sending'`
   */
  readonly checks?: CheckPlace | CheckChoices | undefined
  /**
   * How an entity is asked for whose key has a percent sign. `'batch'` is for services that decode a
   * path twice, and so read another key than was meant; a batch costs as much as a request.
   *
   * @defaultValue `'path'`
   */
  readonly percentKeys?: PercentKeys | undefined
  /**
   * What carries requests. The service closes it when it is closed itself.
   *
   * @defaultValue `undiciTransport()`
   */
  readonly transport?: Transport | undefined
  /**
   * Whether and when to try again.
   *
   * @defaultValue `exponentialRetry()`
   */
  readonly retry?: RetryPolicy | undefined
  /**
   * Bounds the retries of all calls together; `false` for no bound.
   *
   * @defaultValue `retryBudget()`
   */
  readonly retryBudget?: RetryBudget | false | undefined
  /**
   * Milliseconds for one attempt, from its start to the last byte of the answer.
   *
   * @defaultValue `30_000`, as long as the service itself works on a request
   */
  readonly timeout?: number | undefined
  /**
   * Milliseconds for each whole call: all attempts, the waits between them, and the reads that settle
   * a doubt. The pages of one run of a query share it.
   *
   * @defaultValue none
   */
  readonly deadline?: number | undefined
  /**
   * Where reads go; every mode but `'primaryOnly'` needs an endpoint with a secondary. Writes only
   * ever go to the primary.
   *
   * @defaultValue `'primaryOnly'`
   */
  readonly locationMode?: LocationMode | undefined
  /** Is told of every attempt once it has ended. What it throws is dropped. */
  readonly onAttempt?: ((result: AttemptResult) => void) | undefined
  /**
   * Is told of every request, answer, retry and end of a call, as they happen: what
   * {@link openTelemetryBridge} listens to.
   */
  readonly onEvent?: CallListener | undefined
  /** Records the attempts of every call that has no context of its own. */
  readonly context?: OperationContext | undefined
  /**
   * The clock: milliseconds since 1970, UTC. It dates requests.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: (() => number) | undefined
  /**
   * A number from 0 up to but not including 1, for the waits between attempts.
   *
   * @defaultValue `Math.random`
   */
  readonly random?: (() => number) | undefined
  /**
   * Waits between attempts.
   *
   * @defaultValue the clock of the machine
   */
  readonly sleep?: Sleep | undefined
  /**
   * Makes the id of a call, which the service logs as `x-ms-client-request-id`.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
}

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
  const { endpoint, credential } = addressOf(options)
  const resolved = options.flavour === undefined ? endpoint : withFlavour(endpoint, options.flavour)
  checkSecureEndpoint(resolved, options.allowInsecure === true)
  checkPercentKeys(options.percentKeys)
  return { endpoint: withChecks(resolved, options.checks), credential }
}

function addressOf(options: TableServiceOptions): ConnectionSettings | ResolvedAddress {
  const { connectionString, endpoint, credential } = options
  if (connectionString !== undefined) {
    if (endpoint === undefined && credential === undefined) {
      return parseConnectionString(connectionString)
    }
  } else if (endpoint !== undefined && typeof credential?.authorize === 'function') {
    if (typeof endpoint !== 'string') return { endpoint: checkEndpoint(endpoint), credential }
    const account = credential instanceof SharedKeyCredential ? credential.account : undefined
    return { endpoint: endpointOf(endpoint, { account }), credential }
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
  if (flavour === 'storage' || flavour === 'cosmos') return Object.freeze({ ...endpoint, flavour })
  throw new OptionValueError({ message: "The flavour must be 'storage' or 'cosmos'." })
}

/** From an object in place of a URL, everything that {@link endpointOf} gives must be there. */
function checkEndpoint(endpoint: Endpoint): Endpoint {
  const isWhole = typeof endpoint?.origin === 'string' && typeof endpoint.basePath === 'string'
  if (isWhole && isAccountName(endpoint.account)) return withFlavour(endpoint, endpoint.flavour)
  throw new OptionValueError({
    message: 'The endpoint of tableService must be a URL, or what endpointOf made of one.',
  })
}
