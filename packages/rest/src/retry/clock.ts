import { LONGEST_DELAY } from '../check-whole-number.ts'
import type { HttpResponse } from '../http/http-response.ts'

/**
 * Waits. Ends early and without an error when the signal aborts; the caller checks the signal.
 *
 * @param delay - milliseconds
 * @param signal - ends the wait
 */
export type Sleep = (delay: number, signal?: AbortSignal) => Promise<void>

/** Waits by this machine's clock. */
export const sleep: Sleep = (delay, signal) =>
  new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.min(delay, LONGEST_DELAY))
    signal?.addEventListener('abort', wake)
    if (signal?.aborted) wake()
  })

/** A moment by which several calls must be done together. */
export interface Deadline {
  /** Milliseconds since 1970, UTC, on this machine's clock. */
  readonly endsAt: number
}

/**
 * Returns the moment by which a call must be done; `undefined` without a deadline.
 *
 * @param deadline - milliseconds from now, or a moment
 * @param now - milliseconds since 1970, UTC
 */
export function endOf(deadline: number | Deadline | undefined, now: number): number | undefined {
  return typeof deadline === 'number' ? now + deadline : deadline?.endsAt
}

/** Below the 15 minutes that the service accepts, and above the latency of any response. */
const NOTABLE_SKEW = 5 * 60 * 1000

/** The difference between this machine's clock and the service's, as far as responses show it. */
export class ClockSkew {
  #offset = 0

  /**
   * Returns the service's time.
   *
   * @param now - this machine's time: milliseconds since 1970, UTC
   */
  correct(now: number): number {
    return now + this.#offset
  }

  /**
   * Adopts the service's clock when a request was signed with a date that is more than five minutes
   * off. The date of that request decides, because other calls may have corrected the clock since.
   *
   * @param response - the response, with the service's `date`
   * @param signedAt - the date that was signed
   * @param now - this machine's time
   * @returns whether the date was wrong, so that a retry with another date may be accepted
   */
  learn(response: HttpResponse, signedAt: number, now: number): boolean {
    const date = Date.parse(response.headers.date ?? '')
    if (!(Math.abs(date - signedAt) > NOTABLE_SKEW)) return false
    this.#offset = date - now
    return true
  }
}
