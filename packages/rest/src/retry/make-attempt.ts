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
    return { response: steps.response, error: undefined, output, signedAt: steps.signedAt }
  } catch (error) {
    const { response, signedAt } = steps
    // What a credential of the caller throws can be anything, nothing included.
    return { response, error: error ?? null, output: undefined, signedAt }
  }
}

/** The steps around one sending, and what they have seen. */
class Attempt implements AttemptSteps {
  readonly limits: AttemptLimits
  /** The whole answer, once one came. */
  response: HttpResponse | undefined
  /** The date that the request carries, by the clock as it was corrected then. */
  signedAt: number | undefined

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
    const signedAt = skew.correct(startedAt)
    const { credential } = this.#call
    const authorized = credential.authorize(request, endpoint, signedAt)
    const signed = await (authorized instanceof Promise
      ? withinLimits(authorized, this.limits, () => credential.abandoned?.(endpoint, signedAt))
      : authorized)
    if (signed.headers['x-ms-date'] !== undefined) this.signedAt = signedAt
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
