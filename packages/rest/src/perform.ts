import { performExactly } from './exact/perform-exactly.ts'
import type { HttpRequest, HttpResponse } from './http/transport.ts'
import type { Operation } from './request/operation.ts'
import { checkResponse } from './response/check-response.ts'
import type { CallOptions } from './retry/call-options.ts'
import type { Attempt, Call } from './retry/types.ts'
import { checkCall, withRetry } from './retry/with-retry.ts'
import type { Credential } from './sign/credential.ts'
import { withinLimits } from './sign/within-limits.ts'
import type { TableService } from './table-service.ts'

/**
 * Performs one operation: makes its request, sends it with retries, and reads the response.
 *
 * Each attempt is dated and signed anew. A retry happens only where it helps and does no harm.
 *
 * @param service - where to send and as whom, from {@link tableService}
 * @param operation - one of the operations of this package
 * @param input - the operation's input
 * @param options - signal, timeout, retry and context of this call
 * @returns the operation's output
 * @throws an InputError before anything is sent, a TransportError without a whole response, and a
 * ServiceError when the service rejects the request. An AbortError when the signal aborts, and a
 * DeadlineError when the time runs out. An AmbiguousWriteError when a write may have been applied and that
 * cannot be determined
 *
 * @example
 * ```ts
 * const service = tableService({ connectionString: process.env.TABLES! })
 * const { raw } = await perform(service, getEntity, {
 *   table: 'people',
 *   key: { partitionKey: 'Smith', rowKey: 'Jeff' },
 * })
 * ```
 */
export function perform<Input, Output>(
  service: TableService,
  operation: Operation<Input, Output>,
  input: Input,
  options: CallOptions = {},
): Promise<Awaited<Output>> {
  return service.pendingCalls.run(options, () => performPending(service, operation, input, options))
}

/** Performs an operation within a call that is counted as pending. */
function performPending<Input, Output>(
  service: TableService,
  operation: Operation<Input, Output>,
  input: Input,
  options: CallOptions,
): Promise<Awaited<Output>> {
  const call: Call<Input, Output> = {
    service,
    operation: service.asSent(operation),
    input,
    options,
    perform: (other, otherInput, within) => performPending(service, other, otherInput, within),
  }
  checkCall(call)
  return isExact(call) ? performExactly(call, operation, line) : line(call)
}

/** Only writes can be exact; every write that may be repeated has a reconciliation. */
function isExact<Input, Output>({ service, operation, options }: Call<Input, Output>): boolean {
  const { exactWrites = service.defaults.exactWrites, idempotencyKey } = options
  return (exactWrites || idempotencyKey !== undefined) && operation.reconcile !== undefined
}

/** The straight line, once: operation → request → sign → transport → response → result. */
function line<Input, Output>(call: Call<Input, Output>): Promise<Awaited<Output>> {
  const { operation, input } = call
  const { credential, endpoint, transport } = call.service
  const request = operation.toRequest(input, endpoint)
  return withRetry(call, request, async (attempt, watch) => {
    const signing = sign(credential, attempt)
    attempt.sent = 'then' in signing ? await signing : signing
    watch?.sending(attempt.request, attempt.location)
    const response = received(attempt, await transport(attempt.sent, attempt.limits))
    const failure = checkResponse(operation, response, attempt)
    if (failure !== undefined) await failure
    return operation.fromResponse(response, input, attempt.strict)
  })
}

/** Records the response to an attempt, with the location that it came from. */
function received(attempt: Attempt, response: HttpResponse): HttpResponse {
  const { location } = attempt
  attempt.response = location === 'primary' ? response : { ...response, location }
  return attempt.response
}

/**
 * Dates and signs the request of an attempt. A credential that waits for something may not take longer than the attempt,
 * and not longer than the account is open.
 */
function sign(
  credential: Credential,
  { request, endpoint, date, limits, closing }: Attempt,
): HttpRequest | Promise<HttpRequest> {
  const signed = credential.authorize(request, endpoint, date)
  // Not `instanceof`: Jest, for one, has a class of promises besides that of Node's own functions.
  if (!('then' in signed)) return signed
  return withinLimits(signed, { ...limits, closing }, () => credential.abandoned?.(endpoint, date))
}
