import { invalidOption } from '@rowkey/odata'
import { type Attempt, Attempts } from './call/attempts.ts'
import { type Call, callOf, type Line, type TableService } from './call/call.ts'
import type { CallOptions } from './call/call-options.ts'
import { concludeCall, settleRejection } from './call/doubt.ts'
import { hedgedResponse } from './call/hedge.ts'
import { delayAfter } from './call/next-delay.ts'
import { exactPlan, performExactly } from './exact/perform-exactly.ts'
import { type HttpRequest, type HttpResponse, withBody } from './http/transport.ts'
import { withoutSecrets } from './http/without-secrets.ts'
import { type CallWatch, watchCall } from './observe/call-watch.ts'
import type { Operation } from './request/operation.ts'
import { checkResponse } from './response/check-response.ts'
import { verdictOf } from './retry/verdict.ts'
import { withinLimits } from './sign/within-limits.ts'

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
 * DeadlineError when the time runs out, a BudgetError when no request is left. An AmbiguousWriteError when a write may have been applied and that
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
export async function perform<Input, Output>(
  service: TableService,
  operation: Operation<Input, Output>,
  input: Input,
  options: CallOptions = {},
): Promise<Awaited<Output>> {
  return await callOf(service, options, operation.name).perform(operation, input)
}

/**
 * The straight line of one operation: request → sign → transport → check → read, and again while another attempt may help.
 */
export const line: Line = async <Input, Output>(
  call: Call,
  asked: Operation<Input, Output>,
  input: Input,
): Promise<Awaited<Output>> => {
  checkInput(asked.name, input)
  const plan = exactPlan(call, asked, input)
  if (plan !== undefined) return await performExactly(call, asked, input, plan)
  const { service, given } = call
  const operation = service.asSent(asked)
  const attempts = new Attempts(call, operation, input)
  const watch = watchCall(operation.name, attempts.request, service, given.context)
  let failure: unknown
  try {
    for (;;) {
      const attempt = attempts.begin()
      try {
        const response = await sent(attempts, attempt, watch)
        await checkResponse(operation, response, attempt)
        const output = await operation.fromResponse(response, input, attempt.strict)
        watch?.ended(attempt, 'succeeded')
        attempts.succeeded(attempt, output)
        return output
      } catch (thrown) {
        // A caller's credential can throw anything, even `undefined`.
        attempt.error = thrown ?? null
      }
      watch?.ended(attempt, verdictOf(attempt))
      attempts.record(attempt)
      const settled = await settleRejection(attempts, attempt.error)
      if (settled !== undefined) return settled.output
      const delay = await delayAfter(attempts, attempt)
      if (delay === undefined) return await concludeCall(attempts, attempts.lastError(attempt))
      watch?.retrying(delay, attempt.error)
      await service.sleep(delay, call.signal)
    }
  } catch (error) {
    failure = error
    throw error
  } finally {
    watch?.completed(failure)
  }
}

function checkInput(operation: string, input: unknown): void {
  if (typeof input === 'object' && input !== null) return
  throw invalidOption(`The input of ${operation} must be an object.`)
}

/** Sends an attempt, and a second one to the secondary when the account hedges its reads. */
function sent(
  attempts: Attempts,
  attempt: Attempt,
  watch: CallWatch | undefined,
): Promise<HttpResponse> {
  const { hedgeAfter } = attempts
  if (hedgeAfter === undefined) return signedAndSent(attempts, attempt, watch)
  const send = (each: Attempt) => signedAndSent(attempts, each, watch)
  return hedgedResponse({ attempts, attempt, watch, send }, hedgeAfter)
}

/**
 * Dates, signs and sends an attempt. A credential that waits for something may not take longer than the attempt, and not
 * longer than the account is open. An async function would keep the body while it waits.
 */
function signedAndSent(
  attempts: Attempts,
  attempt: Attempt,
  watch: CallWatch | undefined,
): Promise<HttpResponse> {
  const { credential, endpoint, closing } = attempts.call.service
  const { request, date, limits } = attempt
  const signed = credential.authorize(withBody(request, attempts.takeBody()), endpoint, date)
  // Not `instanceof`: Jest, for one, has a class of promises besides that of Node's own functions.
  if (!('then' in signed)) return transmitted(attempts, attempt, watch, signed)
  const abandon = () => credential.abandoned?.(endpoint, date)
  return withinLimits(signed, { ...limits, closing }, abandon).then((late) =>
    transmitted(attempts, attempt, watch, late),
  )
}

/** Sends a signed request, and records on the attempt what it sends and receives, without secrets. */
function transmitted(
  attempts: Attempts,
  attempt: Attempt,
  watch: CallWatch | undefined,
  signed: HttpRequest,
): Promise<HttpResponse> {
  attempt.sent = withBody(signed, undefined)
  watch?.sending(attempt)
  return attempts.call.service.transport(signed, attempt.limits).then((whole) => {
    const { location, request, sent = request } = attempt
    const response = withoutSecrets(whole, request, sent)
    attempt.response = location === 'primary' ? response : { ...response, location }
    return attempt.response
  })
}
