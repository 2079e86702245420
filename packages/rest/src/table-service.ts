import {
  aFunction,
  anything,
  type DeclaredOptions,
  declareOptions,
  oneOf,
  trueOrFalse,
  wholeNumber,
  withMethods,
} from '@rowkey/odata'
import { callOf, type TableService } from './call/call.ts'
import { callOptions } from './call/call-options.ts'
import { OpenCalls } from './call/open-calls.ts'
import {
  type ConnectionStringAddress,
  type EndpointAddress,
  resolveAddress,
} from './connection/resolve-address.ts'
import { checksRule, withChecks } from './endpoint/checks.ts'
import {
  type CheckChoices,
  type CheckPlace,
  type Endpoint,
  flavourRule,
} from './endpoint/endpoint.ts'
import { fetchTransport } from './http/fetch-transport.ts'
import { defaultTransport, randomId } from './http/platform.ts'
import { type CloseOptions, closeOptions, type Transport } from './http/transport.ts'
import { applicationIdRule, userAgentOf } from './http/user-agent.ts'
import { withTransportErrors } from './http/with-transport-errors.ts'
import type { AttemptResult, CallListener, CallLogger } from './observe/call-event.ts'
import { callLogger } from './observe/call-watch.ts'
import { debugLogger } from './observe/debug-logger.ts'
import type { OperationContext } from './observe/operation-context.ts'
import type { RequestBudget } from './observe/request-budget.ts'
import { tell } from './observe/tell.ts'
import { line } from './perform.ts'
import type { Operation } from './request/operation.ts'
import { ClockSkew } from './retry/clock-skew.ts'
import { checkHedgedMode, checkReads, type LocationMode } from './retry/itinerary.ts'
import { OwnTables } from './retry/own-tables.ts'
import { RegionMemory } from './retry/region-memory.ts'
import { budgetRule, type RetryBudget, retryBudget } from './retry/retry-budget.ts'
import { exponentialRetry, type RetryPolicy } from './retry/retry-policies.ts'
import { inBatchForPercent } from './transaction/percent-keys.ts'
import { type Sleep, sleepUntil } from './wait/sleep.ts'

/** How a request reaches an entity whose key contains a percent sign. */
export type PercentKeys = 'batch' | 'path'

/** How a {@link TableService} sends; every option has a default. */
export interface TableServiceSettings {
  /**
   * Names the program in the header `User-Agent`, which the logs of the service show: 1 to 24 letters, digits and
   * `. _ - /`. `false` sends no `User-Agent`. A page never sends one; a worker needs `runsOnServer`.
   *
   * @defaultValue only the versions of Rowkey and Node, and the platform
   */
  readonly applicationId?: string | false | undefined
  /**
   * Whether plain http to another machine is allowed.
   *
   * @defaultValue `false`
   */
  readonly allowInsecure?: boolean | undefined
  /**
   * Whether this code runs on a server. The builds for browsers and workers accept an account key only with `true`:
   * set it in a worker whose secrets stay on the server, never in a page. Node ignores it.
   *
   * @defaultValue `false`
   */
  readonly runsOnServer?: boolean | undefined
  /**
   * Where rules of the service are checked, all of them or each by its name: before sending, or by
   * the service, which then returns its own error.
   *
   * @defaultValue `'before sending'`
   */
  readonly checks?: CheckPlace | CheckChoices | undefined
  /**
   * How a request reaches an entity whose key contains a percent sign. Some services decode a path
   * twice and read another key; `'batch'` sends the request in a batch of its own, which costs as much
   * as any request.
   *
   * @defaultValue `'path'`
   */
  readonly percentKeys?: PercentKeys | undefined
  /**
   * Carries requests. Closing the service closes it.
   *
   * @defaultValue On Node, `node:http` for the first 64 requests, or until nine are sent at once, and then
   * `undiciTransport()`; `fetchTransport()` in browsers and workers
   */
  readonly transport?: Transport | undefined
  /**
   * Decides whether and when to retry.
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
   * Milliseconds for one attempt, from its start to the last byte of the response.
   *
   * @defaultValue `30_000`, as long as the service itself works on a request
   */
  readonly timeout?: number | undefined
  /**
   * Milliseconds for each whole call: all attempts, the waits between them, and the reads that
   * determine whether a write was applied. The pages of one run of a query share it.
   *
   * @defaultValue no limit
   */
  readonly deadline?: number | undefined
  /**
   * How many requests each whole call may make, unless it has a budget of its own: retries, hedged reads, the pages of one run of a
   * query, and the transactions of a bulk write. A `context` with a budget bounds all calls of the account together.
   *
   * @defaultValue no limit
   */
  readonly budget?: RequestBudget | undefined
  /**
   * Where reads go; every mode but `'primaryOnly'` needs an endpoint with a secondary. Writes always
   * go to the primary.
   *
   * @defaultValue `'primaryOnly'`
   */
  readonly locationMode?: LocationMode | undefined
  /**
   * Milliseconds after which a read that waits for the primary is also sent to the secondary. The first response counts; the primary wins when
   * both have come. It needs `locationMode: 'primaryThenSecondary'`, and adds at most 3 % to the reads of the account, and ten at once.
   *
   * @defaultValue reads are not hedged
   */
  readonly hedgeAfter?: number | undefined
  /**
   * Whether every write stores a marker in its transaction, which proves whether the write was applied
   * and keeps it from being applied twice.
   *
   * @defaultValue `false`
   */
  readonly exactWrites?: boolean | undefined
  /** Receives each attempt after it has ended. Its errors are dropped. */
  readonly onAttempt?: ((result: AttemptResult) => void) | undefined
  /**
   * Receives every request, response, retry and end of a call, as they happen. Give it an
   * {@link openTelemetryBridge}, for example.
   */
  readonly onEvent?: CallListener | undefined
  /**
   * Receives a line of text for each response, retry and failed call, such as `console`. The lines contain
   * the keys of entities, but no secret.
   *
   * @defaultValue the standard error stream of Node when the variable `DEBUG` contains `rowkey`
   */
  readonly logger?: CallLogger | undefined
  /** Records the attempts of every call that has no context of its own. */
  readonly context?: OperationContext | undefined
  /**
   * The clock: milliseconds since 1970, UTC. It dates requests.
   *
   * @defaultValue `Date.now`
   */
  readonly now?: (() => number) | undefined
  /**
   * Returns a number from 0 up to but not including 1, for the waits between attempts.
   *
   * @defaultValue `Math.random`
   */
  readonly random?: (() => number) | undefined
  /**
   * Waits between attempts.
   *
   * @defaultValue a timer of this machine
   */
  readonly sleep?: Sleep | undefined
  /**
   * Makes the id of a call, which the service logs as `x-ms-client-request-id`. It must be new each time: exact writes
   * and patterns take their ids from here, too.
   *
   * @defaultValue `crypto.randomUUID`
   */
  readonly newId?: (() => string) | undefined
}

/** The options of {@link tableService}: where to send, as whom, and how. */
export type TableServiceOptions = TableServiceSettings & (ConnectionStringAddress | EndpointAddress)

/** The options of an account with either address. */
type AnyTableServiceOptions = { readonly [Name in keyof TableServiceOptions]?: unknown }

/** The options of {@link tableService}, for functions with more options. */
export const tableServiceOptions: DeclaredOptions<AnyTableServiceOptions> =
  declareOptions<AnyTableServiceOptions>({
    allowInsecure: trueOrFalse,
    applicationId: applicationIdRule,
    budget: callOptions.rules.budget,
    checks: checksRule,
    connectionString: anything,
    context: callOptions.rules.context,
    credential: anything,
    deadline: wholeNumber(),
    endpoint: anything,
    exactWrites: trueOrFalse,
    flavour: flavourRule,
    hedgeAfter: callOptions.rules.hedgeAfter,
    locationMode: callOptions.rules.locationMode,
    logger: withMethods('an object with debug and warn, such as console', 'debug', 'warn'),
    newId: aFunction,
    now: aFunction,
    onAttempt: aFunction,
    onEvent: aFunction,
    percentKeys: oneOf('path', 'batch'),
    random: aFunction,
    retry: callOptions.rules.retry,
    retryBudget: budgetRule,
    runsOnServer: trueOrFalse,
    sleep: aFunction,
    timeout: callOptions.rules.timeout,
    transport: aFunction,
  })

/** As long as the service itself works on a request. */
const DEFAULT_TIMEOUT = 30_000

/**
 * Makes the table service of an account from a connection string, or from an endpoint and a
 * credential. Sends nothing yet.
 *
 * @param options - where to send, as whom, and how
 * @throws an InputError that names the option, the rule and the fix
 *
 * @example
 * ```ts
 * const service = tableService({ connectionString: 'UseDevelopmentStorage=true' })
 * const { tables } = await perform(service, queryTables, {})
 * await service.close()
 * ```
 */
export function tableService(options: TableServiceOptions): TableService {
  return openService(options, defaultTransport)
}

/**
 * Makes the table service of an account as {@link tableService} does, with `fetch` as its default
 * transport, on Node too. A bundle that makes its services with this function contains no undici.
 *
 * @param options - where to send, as whom, and how
 * @throws an InputError that names the option, the rule and the fix
 *
 * @example
 * ```ts
 * const service = fetchTableService({ connectionString: process.env.TABLES! })
 * ```
 */
export function fetchTableService(options: TableServiceOptions): TableService {
  return openService(options, fetchTransport)
}

function openService(options: TableServiceOptions, makeTransport: () => Transport): TableService {
  tableServiceOptions.check(options, 'an account')
  const address = resolveAddress(options, options)
  const endpoint = withChecks(address.endpoint, options.checks)
  checkReads(options, endpoint, 'an account')
  checkHedgedMode(options)
  const transport = options.transport ? withTransportErrors(options.transport) : makeTransport()
  const ending = new AbortController()
  const openCalls = new OpenCalls()
  const now = options.now ?? Date.now
  const steadyNow = options.now ?? (() => (globalThis.performance ?? Date).now())
  const service: TableService = {
    endpoint,
    accountId: accountIdOf(endpoint, options.transport),
    credential: address.credential,
    transport,
    retry: options.retry ?? exponentialRetry(),
    retryBudget: options.retryBudget === false ? undefined : (options.retryBudget ?? retryBudget()),
    timeout: options.timeout ?? DEFAULT_TIMEOUT,
    deadline: options.deadline,
    budget: options.budget,
    locationMode: options.locationMode ?? 'primaryOnly',
    hedgeAfter: options.hedgeAfter,
    exactWrites: options.exactWrites ?? false,
    context: options.context,
    onAttempt: options.onAttempt,
    onEvent: listenerOf(options),
    now,
    steadyNow,
    random: options.random ?? Math.random,
    sleep: sleepUntil(ending.signal, options.sleep),
    closing: ending.signal,
    newId: options.newId ?? randomId,
    userAgent: userAgentOf(options),
    skew: new ClockSkew(),
    ownTables: new OwnTables(endpoint.flavour),
    regions: new RegionMemory(steadyNow),
    openCalls,
    line,

    asSent: <Input, Output>(operation: Operation<Input, Output>) =>
      options.percentKeys === 'batch' ? inBatchForPercent(operation, { endpoint, now }) : operation,

    async call(given, where, work) {
      const call = callOf(this, given, where)
      return call.run(() => work(call))
    },

    begin(given, where) {
      const call = callOf(this, given, where)
      call.begin()
      return call
    },

    async close(given: CloseOptions = {}): Promise<void> {
      closeOptions.check(given, 'close')
      if (given.drain) await openCalls.drain()
      else openCalls.stop()
      ending.abort()
      await transport.close?.(given)
    },
  }
  return Object.freeze(service)
}

const transportNumbers = new WeakMap<Transport, number>()
let transportCount = 0

function accountIdOf({ origin, basePath }: Endpoint, transport: Transport | undefined): string {
  if (transport === undefined) return `${origin}${basePath}`
  let number = transportNumbers.get(transport)
  if (number === undefined) {
    number = ++transportCount
    transportNumbers.set(transport, number)
  }
  return `${origin}${basePath}#${number}`
}

/** Calls the caller's listener first, then the logger. */
function listenerOf({
  onEvent,
  logger = debugLogger(),
}: TableServiceOptions): CallListener | undefined {
  const log = logger && callLogger(logger)
  if (onEvent === undefined || log === undefined) return onEvent ?? log
  return (event) => {
    tell(onEvent, event)
    log(event)
  }
}
