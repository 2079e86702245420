import type { HttpResponse } from '../http/transport.ts'

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
