import { AbortError } from '../errors/abort-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import type { CallWatch } from '../observe/call-watch.ts'
import { verdictOf } from '../retry/verdict.ts'
import type { Attempt, Attempts } from './attempts.ts'

/** How a read ended. */
type Outcome = { readonly response: HttpResponse } | { readonly error: unknown }

/** The first attempt of a read that may be hedged. */
interface Hedged {
  readonly attempts: Attempts
  readonly attempt: Attempt
  readonly watch: CallWatch | undefined
  /** Signs and sends an attempt. */
  readonly send: (attempt: Attempt) => Promise<HttpResponse>
}

/**
 * Sends a read to the primary, and a second one to the secondary when the primary has not responded after a while. The response of the
 * primary is used when both have come; that of the secondary only when it is a success, because a secondary lags behind.
 *
 * @param read - the read, and how to send it
 * @param hedgeAfter - milliseconds until the second read is sent
 * @returns the response; the attempt is then that of its location
 */
export async function hedgedResponse(read: Hedged, hedgeAfter: number): Promise<HttpResponse> {
  const { attempts, attempt, send } = read
  const { regions, sleep } = attempts.call.service
  regions.mayBeHedged()
  const ended = new AbortController()
  // What ends later must not change the attempt.
  const one = new Pending({ ...attempt }, send)
  // Without a reason, an error with a stack is made for each read.
  void one.outcome.then(() => ended.abort(true))
  await sleep(hedgeAfter, ended.signal)
  const second = one.ended === undefined ? attempts.beginHedge() : undefined
  if (second === undefined) return use(attempt, one)
  const two = new Pending(second, send)
  await Promise.race([one.outcome, two.outcome])
  // The primary wins when both have ended.
  await Promise.resolve()
  const isDecided = one.ended !== undefined && isFinal(one.ended)
  const isBetter = !isDecided && isSuccess(await two.outcome)
  const response = use(attempt, isBetter ? two : one)
  await response.catch(() => {})
  end(read, isBetter ? one : two)
  return response
}

/** An attempt that is being sent. */
class Pending {
  readonly attempt: Attempt
  readonly outcome: Promise<Outcome>
  /** Its outcome; `undefined` while it is pending. */
  ended: Outcome | undefined

  constructor(attempt: Attempt, send: Hedged['send']) {
    this.attempt = attempt
    const record = (outcome: Outcome): Outcome => {
      this.ended = outcome
      return outcome
    }
    // Async, because a credential may throw at once.
    const sent = async () => send(attempt)
    this.outcome = sent().then(
      (response) => record({ response }),
      (error: unknown) => record({ error }),
    )
  }
}

/** Makes the attempt that of the location whose outcome counts. */
async function use(attempt: Attempt, used: Pending): Promise<HttpResponse> {
  const outcome = await used.outcome
  Object.assign(attempt, used.attempt)
  if ('error' in outcome) throw outcome.error
  return outcome.response
}

const UNUSED = 'The response of the other location was used.'

/** Ends the attempt whose outcome does not count. */
function end({ attempts, watch }: Hedged, { attempt, ended }: Pending): void {
  const isFailed = ended !== undefined && 'error' in ended
  attempt.error = isFailed
    ? ended.error
    : new AbortError({ reason: undefined, event: UNUSED, mayHaveApplied: false })
  attempt.stop?.abort()
  watch?.ended(attempt, verdictOf(attempt))
  attempts.record(attempt)
  if (!isFailed && attempt.location === 'primary') attempts.call.service.regions.outrun('primary')
}

const isSuccess = (outcome: Outcome): boolean =>
  'response' in outcome && outcome.response.status < 300

/** Whether the other location cannot know better. */
const isFinal = (outcome: Outcome): boolean =>
  'response' in outcome && outcome.response.status < 500
