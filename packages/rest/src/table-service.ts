import { checkOptions } from './check-options.ts'
import type { Endpoint } from './endpoint.ts'
import type { Transport } from './http/transport.ts'
import { withTransportErrors } from './http/with-transport-errors.ts'
import type { Operation } from './operation.ts'
import { defaultTransport, randomId } from './platform.ts'
import { type CallOptions, checkCallValues } from './retry/call-options.ts'
import { ClockSkew, endOf, type Sleep, sleep } from './retry/clock.ts'
import { checkLocation, type LocationMode } from './retry/locations.ts'
import { OwnTables } from './retry/own-tables.ts'
import { checkRetryBudget, retryBudget } from './retry/retry-budget.ts'
import { exponentialRetry } from './retry/retry-policies.ts'
import type { CallDefaults, CallService } from './retry/types.ts'
import type { Credential } from './sign/credential.ts'
import {
  resolveAddress,
  TABLE_SERVICE_OPTION_NAMES,
  type TableServiceOptions,
} from './table-service-options.ts'
import { inBatchForPercent } from './transaction/in-batch-for-percent.ts'

/** An account's table service: where to send, as whom, and how. {@link perform} sends with it. */
export interface TableService extends CallService {
  /** The account. */
  readonly endpoint: Endpoint
  /** Proves who is asking. */
  readonly credential: Credential
  /** Carries the requests. */
  readonly transport: Transport
  /** Where reads go by default. */
  readonly locationMode: LocationMode
  /** Returns the time of the clock: milliseconds since 1970, UTC. */
  now(): number
  /** Returns a number from 0 up to but not including 1, which spreads the waits of clients. */
  random(): number
  /** Waits for a number of milliseconds, or until the signal aborts. */
  readonly sleep: Sleep
  /**
   * Returns the operation in the form that this service needs: see `percentKeys` of the options.
   *
   * @param operation - any operation
   */
  asSent<Input, Output>(operation: Operation<Input, Output>): Operation<Input, Output>
  /**
   * Starts the deadline of some options, for several calls that share it, such as the pages of a
   * query.
   *
   * @param options - the options of a call
   */
  withDeadline<Options extends CallOptions>(options: Options): Options
  /** Closes the transport. Later calls fail. */
  close(): Promise<void>
}

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
  checkOptions(options, TABLE_SERVICE_OPTION_NAMES, 'tableService')
  checkCallValues(options, 'tableService')
  checkRetryBudget(options.retryBudget)
  const { endpoint, credential } = resolveAddress(options)
  const transport = options.transport ? withTransportErrors(options.transport) : defaultTransport()
  const defaults = defaultsOf(options)
  const { locationMode, now, random, sleep } = defaults
  checkLocation(locationMode, endpoint, 'tableService')
  return Object.freeze({
    endpoint,
    credential,
    transport,
    defaults,
    locationMode,
    now,
    random,
    sleep,

    asSent<Input, Output>(operation: Operation<Input, Output>): Operation<Input, Output> {
      return options.percentKeys === 'batch' ? inBatchForPercent(operation, endpoint) : operation
    },

    withDeadline<Options extends CallOptions>(callOptions: Options): Options {
      checkCallValues(callOptions, 'withDeadline')
      const endsAt = endOf(callOptions.deadline ?? defaults.deadline, now())
      return endsAt === undefined ? callOptions : { ...callOptions, deadline: { endsAt } }
    },

    async close(): Promise<void> {
      await transport.close?.()
    },
  })
}

function defaultsOf(options: TableServiceOptions): CallDefaults {
  return {
    retry: options.retry ?? exponentialRetry(),
    retryBudget: options.retryBudget === false ? undefined : (options.retryBudget ?? retryBudget()),
    timeout: options.timeout ?? DEFAULT_TIMEOUT,
    deadline: options.deadline,
    locationMode: options.locationMode ?? 'primaryOnly',
    context: options.context,
    onAttempt: options.onAttempt,
    onEvent: options.onEvent,
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
    newId: options.newId ?? randomId,
    skew: new ClockSkew(),
    ownTables: new OwnTables(),
  }
}
