import { performExactly } from './exact/perform-exactly.ts'
import { type HttpRequest, type HttpResponse, withBody } from './http/transport.ts'
import { withoutSecrets } from './http/without-secrets.ts'
import type { CallWatch } from './observe/call-watch.ts'
import type { Operation } from './request/operation.ts'
import { checkResponse } from './response/check-response.ts'
import type { CallOptions } from './retry/call-options.ts'
import type { Attempt, Call, CallService } from './retry/types.ts'
import { checkCall, withRetry } from './retry/with-retry.ts'
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
  const { operation, input, service } = call
  const request = operation.toRequest(input, service.endpoint)
  const nextBody = bodiesOf(call, request)
  return withRetry(call, withBody(request, undefined), async (attempt, watch) => {
    const response = received(attempt, await sent(service, attempt, nextBody, watch))
    const failure = checkResponse(operation, response, attempt)
    if (failure !== undefined) await failure
    return operation.fromResponse(response, input, attempt.strict)
  })
}

/**
 * Returns what makes the body of each attempt. While a call waits for its response, only the transport has the body: the
 * collector copies memory that waits. A retry makes the body again.
 */
function bodiesOf<Input, Output>(
  { operation, input, service }: Call<Input, Output>,
  request: HttpRequest,
): () => string | undefined {
  let first: HttpRequest | undefined = request
  return () => {
    const { body } = first ?? operation.toRequest(input, service.endpoint)
    first = undefined
    return body
  }
}

/** Records the response to an attempt without secrets, with the location that it came from. */
function received(attempt: Attempt, whole: HttpResponse): HttpResponse {
  const { location, request, sent = request } = attempt
  const response = withoutSecrets(whole, request, sent)
  attempt.response = location === 'primary' ? response : { ...response, location }
  return attempt.response
}

/**
 * Dates, signs and sends an attempt. A credential that waits for something may not take longer than the attempt, and not
 * longer than the account is open. An async function would keep the body.
 */
function sent(
  { credential, transport }: CallService,
  attempt: Attempt,
  nextBody: () => string | undefined,
  watch: CallWatch | undefined,
): Promise<HttpResponse> {
  const { endpoint, date, limits, closing } = attempt
  const transmit = (signed: HttpRequest): Promise<HttpResponse> => {
    attempt.sent = withBody(signed, undefined)
    watch?.sending(attempt.request, attempt.location)
    return transport(signed, limits)
  }
  const signed = credential.authorize(withBody(attempt.request, nextBody()), endpoint, date)
  // Not `instanceof`: Jest, for one, has a class of promises besides that of Node's own functions.
  if (!('then' in signed)) return transmit(signed)
  const abandon = () => credential.abandoned?.(endpoint, date)
  return withinLimits(signed, { ...limits, closing }, abandon).then(transmit)
}
