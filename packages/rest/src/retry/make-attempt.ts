import { checkAnswer } from '../answer/check-answer.ts'
import { unexpectedSuccess } from '../answer/unexpected-success.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { AttemptLimits } from '../http/transport.ts'
import type { OperationTraits } from '../operation.ts'
import type { AttemptSteps } from './attempted-call.ts'
import type { AttemptOutcome, BegunAttempt } from './begun-attempt.ts'
import { withinLimits } from './within-limits.ts'

/**
 * One attempt. The request is dated and signed afresh each time.
 *
 * @param begun - what is to be sent, for whom, and who listens
 * @returns how it ended; it does not reject
 */
export async function makeAttempt<Input, Output>(
  begun: BegunAttempt<Input, Output>,
): Promise<AttemptOutcome<Output>> {
  const steps = new Attempt(begun)
  try {
    const output = await begun.call.attempt(steps)
    const { response, sent, signedAt } = steps
    return { response, error: undefined, output, sent, signedAt }
  } catch (error) {
    const { response, sent, signedAt } = steps
    // What a credential of the caller throws can be anything, nothing included.
    return { response, error: error ?? null, output: undefined, sent, signedAt }
  }
}

/** The steps around one sending, and what they have seen. */
class Attempt implements AttemptSteps {
  readonly limits: AttemptLimits
  /** The whole answer, once one came. */
  response: HttpResponse | undefined
  /** The request with its proof, once it is about to be sent. */
  sent: HttpRequest | undefined
  /** The date that the request carries, by the clock as it was corrected then. */
  signedAt: number | undefined

  readonly #begun: BegunAttempt

  constructor(begun: BegunAttempt) {
    this.limits = { signal: begun.call.options.signal, timeout: begun.plan.timeout }
    this.#begun = begun
  }

  async sign(): Promise<HttpRequest> {
    const { settings, call, plan, watch } = this.#begun
    const { endpoint, skew } = settings
    const { request, startedAt } = plan
    const signedAt = skew.correct(startedAt)
    const { credential } = call
    const authorized = credential.authorize(request, endpoint, signedAt)
    const signed = await (authorized instanceof Promise
      ? withinLimits(authorized, this.limits, () => credential.abandoned?.(endpoint, signedAt))
      : authorized)
    if (signed.headers['x-ms-date'] !== undefined) this.signedAt = signedAt
    this.sent = signed
    watch?.sending(request, plan.location)
    return signed
  }

  async accept(response: HttpResponse): Promise<HttpResponse> {
    this.response = response
    const { call, plan } = this.#begun
    const { request, operation } = call
    const error =
      response.status < 300
        ? unexpectedSuccess(operation, request, response)
        : await this.#errorOf(response)
    if (error !== undefined) throw error
    const { location } = plan
    return location === 'primary' ? response : { ...response, location }
  }

  #errorOf(response: HttpResponse): Promise<unknown> {
    const { settings, call, plan } = this.#begun
    const { endpoint, now } = settings
    const { request, operation: given } = call
    const operation: OperationTraits = plan.strict ? { ...given, expects: [] } : given
    return checkAnswer({ response, request, operation, endpoint, now: now() })
  }
}
