import { checkAnswer } from '../answer/check-answer.ts'
import { unexpectedSuccess } from '../answer/unexpected-success.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { AttemptLimits } from '../http/transport.ts'
import type { OperationTraits } from '../operation.ts'
import type {
  AttemptedCall,
  AttemptOutcome,
  AttemptPlan,
  AttemptSettings,
  AttemptSteps,
} from './attempted-call.ts'
import { withinLimits } from './within-limits.ts'

/**
 * One attempt. The request is dated and signed afresh each time.
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
  const steps = new Attempt(settings, call, plan)
  try {
    const output = await call.attempt(steps)
    return { response: steps.response, error: undefined, output, dated: steps.dated }
  } catch (error) {
    const { response, dated } = steps
    // What a credential of the caller throws can be anything, nothing included.
    return { response, error: error ?? null, output: undefined, dated }
  }
}

/** The steps around one sending, and what they have seen. */
class Attempt implements AttemptSteps {
  readonly limits: AttemptLimits
  /** The whole answer, once one came. */
  response: HttpResponse | undefined
  /** Whether the request carries a date of this machine. */
  dated = false

  readonly #settings: AttemptSettings
  readonly #call: AttemptedCall
  readonly #plan: AttemptPlan

  constructor(settings: AttemptSettings, call: AttemptedCall, plan: AttemptPlan) {
    this.limits = { signal: call.options.signal, timeout: plan.timeout }
    this.#settings = settings
    this.#call = call
    this.#plan = plan
  }

  async sign(): Promise<HttpRequest> {
    const { endpoint, skew } = this.#settings
    const { request, startedAt } = this.#plan
    const authorized = this.#call.credential.authorize(request, endpoint, skew.correct(startedAt))
    const signed = await (authorized instanceof Promise
      ? withinLimits(authorized, this.limits)
      : authorized)
    this.dated = signed.headers['x-ms-date'] !== undefined
    return signed
  }

  async accept(response: HttpResponse): Promise<HttpResponse> {
    this.response = response
    const { request, operation } = this.#call
    const error =
      response.status < 300
        ? unexpectedSuccess(operation, request, response)
        : await this.#errorOf(response)
    if (error !== undefined) throw error
    const { location } = this.#plan
    return location === 'primary' ? response : { ...response, location }
  }

  #errorOf(response: HttpResponse): Promise<unknown> {
    const { endpoint, now } = this.#settings
    const { request, operation: given } = this.#call
    const operation: OperationTraits = this.#plan.strict ? { ...given, expects: [] } : given
    return checkAnswer({ response, request, operation, endpoint, now: now() })
  }
}
