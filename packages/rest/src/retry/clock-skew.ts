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
   * Takes the service's clock for the right one, when the two are more than five minutes apart.
   *
   * @param response - an answer with the service's `date`
   * @param now - what this machine's clock shows
   * @returns whether there was something to learn
   */
  learn(response: HttpResponse, now: number): boolean {
    const skew = Date.parse(response.headers.date ?? '') - this.correct(now)
    if (!(Math.abs(skew) > NOTABLE_SKEW)) return false
    this.#offset += skew
    return true
  }
}
