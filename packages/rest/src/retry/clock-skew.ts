import type { HttpResponse } from '../http/http-response.ts'

/** Less than the 15 minutes that the service allows, more than any answer takes. */
const NOTABLE_SKEW = 5 * 60 * 1000

/** How far this machine's clock is from the service's, as far as answers have shown. */
export class ClockSkew {
  #offset = 0

  /**
   * What the service's clock shows.
   *
   * @param now - what this machine's clock shows: milliseconds since 1970, UTC
   */
  correct(now: number): number {
    return now + this.#offset
  }

  /**
   * Takes the service's clock for the right one, when a request was signed with a date that is more
   * than five minutes off. Other calls may have corrected the clock since; what counts is the date
   * that the request carried.
   *
   * @param response - the answer to the request, with the service's `date`
   * @param signedAt - the date that the request was signed with
   * @param now - what this machine's clock shows
   * @returns whether the date was wrong, and the same request may be accepted with another
   */
  learn(response: HttpResponse, signedAt: number, now: number): boolean {
    const date = Date.parse(response.headers.date ?? '')
    if (!(Math.abs(date - signedAt) > NOTABLE_SKEW)) return false
    this.#offset = date - now
    return true
  }
}
