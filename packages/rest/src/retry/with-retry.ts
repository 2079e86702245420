import { invalidOption } from '@rowkey/odata'
import { AbortError } from '../errors/abort-error.ts'
import { type HttpRequest, urlOf } from '../http/transport.ts'
import type { AttemptResult } from '../observe/call-event.ts'
import { type CallWatch, watchCall } from '../observe/call-watch.ts'
import { tell } from '../observe/tell.ts'
import { requestIdOf } from '../response/response-headers.ts'
import { callOptions } from './call-options.ts'
import { CallProgress } from './call-progress.ts'
import { concludeCall, finalError, settleRejection } from './doubt.ts'
import { checkLocation } from './itinerary.ts'
import { nextDelay } from './next-delay.ts'
import type { AttemptOutcome, Call, CallDefaults, Send } from './types.ts'
import { isTransient, verdictOf } from './verdict.ts'

/**
 * Rejects a call whose input is not an object, or whose options are invalid.
 *
 * @param call - the call
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`)
 */
export function checkCall<Input, Output>(call: Call<Input, Output>): void {
  const { name } = call.operation
  const input: unknown = call.input
  if (typeof input !== 'object' || input === null) {
    throw invalidOption(`The input of ${name} must be an object.`)
  }
  callOptions.check(call.options, name)
  checkLocation(call.options.locationMode, call.service.endpoint, name)
}

/**
 * Makes attempts until one succeeds, or until another would be pointless, too late, or harmful.
 *
 * @param call - the call
 * @param request - the request of every attempt, to the primary, without body, date and signature
 * @param send - makes one attempt
 * @throws `AbortError`, {@link AmbiguousWriteError}, {@link DeadlineError},
 * {@link TransportError}, {@link ServiceError} or {@link DecodeError}
 */
export function withRetry<Input, Output>(
  call: Call<Input, Output>,
  request: HttpRequest,
  send: Send<Output>,
): Promise<Awaited<Output>> {
  const identified = withCallHeaders(request, call.service.defaults)
  const watch = watchCall(call, identified)
  const output = attemptUntilDone(call, identified, send, watch)
  return watch === undefined ? output : watched(output, watch)
}

async function watched<Output>(pending: Promise<Output>, watch: CallWatch): Promise<Output> {
  try {
    const output = await pending
    watch.completed()
    return output
  } catch (error) {
    watch.completed(error)
    throw error
  }
}

/** The service logs both headers. The id, which it returns, is the same in all attempts of a call. */
function withCallHeaders(request: HttpRequest, { newId, userAgent }: CallDefaults): HttpRequest {
  const id = newId()
  const headers =
    userAgent === undefined
      ? { 'x-ms-client-request-id': id, ...request.headers }
      : { 'x-ms-client-request-id': id, 'user-agent': userAgent, ...request.headers }
  return { ...request, headers }
}

async function attemptUntilDone<Input, Output>(
  call: Call<Input, Output>,
  request: HttpRequest,
  send: Send<Output>,
  watch: CallWatch | undefined,
): Promise<Awaited<Output>> {
  const { defaults } = call.service
  const progress = new CallProgress(call, request)
  for (;;) {
    const attempt = progress.begin()
    let output: Awaited<Output> | undefined
    let error: unknown
    try {
      output = await send(attempt, watch)
    } catch (thrown) {
      // A caller's credential can throw anything, even `undefined`.
      error = thrown ?? null
    }
    const outcome = { attempt, response: attempt.response, error }
    report(call, outcome, watch)
    if (error === undefined) {
      defaults.retryBudget?.earn()
      defaults.ownTables.record(call, output, attempt.startedAt)
      // Without an error there is an output.
      return output as Awaited<Output>
    }
    progress.record(outcome)
    const settled = await settleRejection(call, progress, outcome.error)
    if (settled !== undefined) return settled.output
    const delay = await delayAfter(call, progress, outcome)
    if (delay === undefined) {
      return concludeCall(call, progress, progress.lastError(outcome))
    }
    watch?.retrying(delay, outcome.error)
    await defaults.sleep(delay, call.options.signal)
  }
}

/** Tells the call's context, the service's `onAttempt` and the event listeners how it ended. */
function report<Input, Output>(
  { operation, options, service }: Call<Input, Output>,
  { attempt, response, error }: AttemptOutcome,
  watch: CallWatch | undefined,
): void {
  const { defaults } = service
  const context = options.context ?? defaults.context
  // An attempt that the credential rejected was not sent, so it does not count.
  if (attempt.sent === undefined) return
  if (context === undefined && defaults.onAttempt === undefined && watch === undefined) return
  const { request, location, startedAt } = attempt
  const result: AttemptResult = Object.freeze({
    operation: operation.name,
    method: request.method,
    url: urlOf(request),
    location,
    clientRequestId: request.headers['x-ms-client-request-id'] ?? '',
    status: response?.status,
    requestId: response && requestIdOf(response),
    etag: response?.headers.etag,
    startedAt,
    endedAt: defaults.now(),
    verdict: verdictOf({ response, error }),
    error,
  })
  context?.attempts.push(result)
  if (defaults.onAttempt !== undefined) tell(defaults.onAttempt, result)
  watch?.received(result)
}

/** Returns the wait before the next attempt; `undefined` when the call makes no further attempt. */
async function delayAfter<Input, Output>(
  call: Call<Input, Output>,
  progress: CallProgress,
  outcome: AttemptOutcome,
): Promise<number | undefined> {
  const { error } = outcome
  if (isTransient(outcome) && progress.isOverAfter(0)) throw progress.deadlineError(error)
  let delay: number | undefined
  try {
    if (!(error instanceof AbortError)) delay = await nextDelay(call, progress, outcome)
  } catch (thrown) {
    // A caller's policy or credential that throws ends the call, but settles no doubt.
    throw finalError(call, progress, thrown)
  }
  if (delay !== undefined && progress.isOverAfter(delay)) throw progress.deadlineError(error)
  return delay
}
