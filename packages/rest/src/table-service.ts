import { randomUUID } from 'node:crypto'
import { CALL_OPTION_NAMES, type CallOptions, checkCallValues } from './call-options.ts'
import { checkOptions } from './check-options.ts'
import type { Endpoint } from './endpoint.ts'
import type { HttpRequest } from './http/http-request.ts'
import type { HttpResponse } from './http/http-response.ts'
import type { AttemptLimits, Transport } from './http/transport.ts'
import { undiciTransport } from './http/undici-transport.ts'
import { withTransportErrors } from './http/with-transport-errors.ts'
import type { OperationTraits } from './operation.ts'
import type { AttemptSettings } from './retry/attempted-call.ts'
import { exponentialRetry } from './retry/exponential-retry.ts'
import { runAttempts } from './retry/run-attempts.ts'
import { type Sleep, sleep } from './retry/sleep.ts'
import type { Credential } from './sign/credential.ts'
import {
  resolveAddress,
  TABLE_SERVICE_OPTION_NAMES,
  type TableServiceOptions,
} from './table-service-options.ts'

/** An account's table service: where to send, as whom, and how. {@link perform} sends with it. */
export interface TableService {
  /** Where the account's tables are. */
  readonly endpoint: Endpoint
  /** As whom to ask. */
  readonly credential: Credential
  /** What carries the requests. */
  readonly transport: Transport
  /** The clock: milliseconds since 1970, UTC. */
  now(): number
  /** A new id for a call. */
  newId(): string
  /** Waits, up to a number of milliseconds or until the signal aborts. */
  readonly sleep: Sleep
  /**
   * Sends one request, again if need be, until there is an answer that the operation can use.
   *
   * @param request - what the operation made, for reports and errors
   * @param operation - the operation's name and what it expects
   * @param options - the options of the call
   * @param send - dates, signs and sends the request once
   * @throws {@link AbortError}, {@link TransportError}, {@link ServiceError} or {@link DecodeError}
   */
  attempts(
    request: HttpRequest,
    operation: OperationTraits,
    options: CallOptions,
    send: (limits: AttemptLimits) => Promise<HttpResponse>,
  ): Promise<HttpResponse>
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
  const { endpoint, credential } = resolveAddress(options)
  const transport = options.transport ? withTransportErrors(options.transport) : undiciTransport()
  const settings = settingsOf(options, endpoint)
  return Object.freeze({
    endpoint,
    credential,
    transport,
    now: settings.now,
    newId: options.newId ?? randomUUID,
    sleep: settings.sleep,

    async attempts(
      request: HttpRequest,
      operation: OperationTraits,
      callOptions: CallOptions,
      send: (limits: AttemptLimits) => Promise<HttpResponse>,
    ): Promise<HttpResponse> {
      checkOptions(callOptions, CALL_OPTION_NAMES, operation.name)
      checkCallValues(callOptions, operation.name)
      return runAttempts(settings, { request, operation, options: callOptions, send })
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
    timeout: options.timeout ?? DEFAULT_TIMEOUT,
    context: options.context,
    onAttempt: options.onAttempt,
    onEvent: options.onEvent,
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
  }
}
