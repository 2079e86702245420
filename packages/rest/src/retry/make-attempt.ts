import { checkAnswer } from '../answer/check-answer.ts'
import { unexpectedSuccess } from '../answer/unexpected-success.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { OperationTraits } from '../operation.ts'
import type {
  AttemptedCall,
  AttemptOutcome,
  AttemptPlan,
  AttemptSettings,
} from './attempted-call.ts'
import { withinLimits } from './within-limits.ts'

/**
 * One attempt, from the request to what the operation makes of the answer: sign → transport → answer
 * → result. The request is dated and signed afresh each time.
 *
 * @param settings - the service's part
 * @param call - the call's part
 * @param plan - the attempt's part
 * @returns how it ended; it does not reject
 */
export async function makeAttempt<Input, Output>(
  settings: AttemptSettings,
  call: AttemptedCall<Input, Output>,
  plan: AttemptPlan,
): Promise<AttemptOutcome<Output>> {
  const { transport, operation, input, options } = call
  let response: HttpResponse | undefined
  let dated = false
  try {
    const signed = await authorize(settings, call, plan)
    dated = signed.headers['x-ms-date'] !== undefined
    response = await transport(signed, { signal: options.signal, timeout: plan.timeout })
    const error =
      response.status < 300
        ? unexpectedSuccess(operation, call.request, response)
        : await errorOf(settings, call, plan, response)
    const answer = plan.location === 'primary' ? response : { ...response, location: plan.location }
    const output = error ? undefined : await operation.fromResponse(answer, input)
    return { response, error, output, dated }
  } catch (error) {
    // What a credential of the caller throws can be anything, nothing included.
    return { response, error: error ?? null, output: undefined, dated }
  }
}

function authorize(
  { endpoint, skew }: AttemptSettings,
  { credential, options }: AttemptedCall,
  { request, startedAt, timeout }: AttemptPlan,
): HttpRequest | Promise<HttpRequest> {
  const authorized = credential.authorize(request, endpoint, skew.correct(startedAt))
  const { signal } = options
  return authorized instanceof Promise ? withinLimits(authorized, { signal, timeout }) : authorized
}

function errorOf(
  { endpoint, now }: AttemptSettings,
  call: AttemptedCall,
  { strict }: AttemptPlan,
  response: HttpResponse,
): Promise<unknown> {
  const { request } = call
  const operation: OperationTraits = strict ? { ...call.operation, expects: [] } : call.operation
  return checkAnswer({ response, request, operation, endpoint, now: now() })
}
