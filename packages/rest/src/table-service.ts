import { CALL_OPTION_NAMES, type CallOptions, checkCallValues } from './call-options.ts'
import { checkOptions } from './check-options.ts'
import type { Endpoint } from './endpoint.ts'
import type { Transport } from './http/transport.ts'
import { withTransportErrors } from './http/with-transport-errors.ts'
import type { Operation } from './operation.ts'
import { defaultTransport, randomId } from './platform.ts'
import type { AttemptSettings } from './retry/attempt-settings.ts'
import type { AttemptedCall } from './retry/attempted-call.ts'
import { ClockSkew } from './retry/clock-skew.ts'
import { endOf } from './retry/deadline.ts'
import { exponentialRetry } from './retry/exponential-retry.ts'
import { checkLocation, type LocationMode } from './retry/location-mode.ts'
import { OwnTables } from './retry/own-tables.ts'
import { checkRetryBudget, retryBudget } from './retry/retry-budget.ts'
import { runAttempts } from './retry/run-attempts.ts'
import { type Sleep, sleep } from './retry/sleep.ts'
import type { Credential } from './sign/credential.ts'
import {
  resolveAddress,
  TABLE_SERVICE_OPTION_NAMES,
  type TableServiceOptions,
} from './table-service-options.ts'
import { inBatchForPercent } from './transaction/in-batch-for-percent.ts'

/** An account's table service: where to send, as whom, and how. {@link perform} sends with it. */
export interface TableService {
  /** Where the account's tables are. */
  readonly endpoint: Endpoint
  /** As whom to ask. */
  readonly credential: Credential
  /** What carries the requests. */
  readonly transport: Transport
  /** Where reads go that do not say otherwise. */
  readonly locationMode: LocationMode
  /** The clock: milliseconds since 1970, UTC. */
  now(): number
  /** A new id for a call. */
  newId(): string
  /** Chance, from 0 up to but not including 1: it spreads the waits of those who meet. */
  random(): number
  /**
   * The operation as this service is to be sent it: see `percentKeys` of the options.
   *
   * @param operation - any operation
   */
  asSent<Input, Output>(operation: Operation<Input, Output>): Operation<Input, Output>
  /** Waits, up to a number of milliseconds or until the signal aborts. */
  readonly sleep: Sleep
  /**
   * Sends one request, again if need be, until there is an answer that the operation can use.
   * {@link perform} makes the call.
   *
   * @param call - what is to be done, and how
   * @throws {@link AbortError}, {@link AmbiguousWriteError}, {@link DeadlineError},
   * {@link TransportError}, {@link ServiceError} or {@link DecodeError}
   */
  attempts<Input, Output>(call: AttemptedCall<Input, Output>): Promise<Awaited<Output>>
  /**
   * The same options with a deadline that has begun, for several calls that share it, such as the
   * pages of a query.
   *
   * @param options - the options of a call
   */
  withDeadline<Options extends CallOptions>(options: Options): Options
  /** Closes the transport. Calls afterwards fail. */
  close(): Promise<void>
}

/** As long as the service itself works on a request. */
const DEFAULT_TIMEOUT = 30_000

/**
 * Makes an account's table service out of a connection string, or out of an endpoint and a
 * credential. Nothing is sent yet.
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
  const settings = settingsOf(options, endpoint)
  checkLocation(settings.locationMode, endpoint, 'tableService')
  return Object.freeze({
    endpoint,
    credential,
    transport,
    locationMode: settings.locationMode,
    now: settings.now,
    newId: options.newId ?? randomId,
    random: settings.random,
    sleep: settings.sleep,

    asSent<Input, Output>(operation: Operation<Input, Output>): Operation<Input, Output> {
      return options.percentKeys === 'batch' ? inBatchForPercent(operation, endpoint) : operation
    },

    async attempts<Input, Output>(call: AttemptedCall<Input, Output>): Promise<Awaited<Output>> {
      const { name } = call.operation
      checkOptions(call.options, CALL_OPTION_NAMES, name)
      checkCallValues(call.options, name)
      checkLocation(call.options.locationMode, endpoint, name)
      return runAttempts(settings, call)
    },

    withDeadline<Options extends CallOptions>(callOptions: Options): Options {
      checkCallValues(callOptions, 'withDeadline')
      const endsAt = endOf(callOptions.deadline ?? settings.deadline, settings.now())
      return endsAt === undefined ? callOptions : { ...callOptions, deadline: { endsAt } }
    },

    async close(): Promise<void> {
      await transport.close?.()
    },
  })
}

function settingsOf(options: TableServiceOptions, endpoint: Endpoint): AttemptSettings {
  return {
    endpoint,
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
    skew: new ClockSkew(),
    ownTables: new OwnTables(),
  }
}
