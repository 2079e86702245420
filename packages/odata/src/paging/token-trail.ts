import { odataDecodeError } from '../errors/codes.ts'

/** How many empty pages in succession may end where they began. */
const MAX_STAYS = 10

/**
 * Tracks where the pages of one run end, so that a service which leads in a circle is detected instead
 * of followed forever.
 *
 * It keeps two tokens and not all of them: the last one, and a landmark that moves on after 1, 2, 4, 8 …
 * pages. A circle of any length passes a landmark, at the latest after three rounds.
 *
 * @example
 * ```ts
 * const trail = new TokenTrail('people', undefined)
 * trail.step('token of the first page', 1_000)
 * trail.step('token of the second page', 20)
 * ```
 */
export class TokenTrail {
  readonly #model: string
  #before: string | undefined
  #landmark: string | undefined
  #steps = 0
  #stays = 0
  #reach = 1

  /**
   * @param model - the class or table that is read, for the message
   * @param start - the token that the run begins with; `undefined` at the start
   */
  constructor(model: string, start: string | undefined) {
    this.#model = model
    this.#before = start
    this.#landmark = start
  }

  /**
   * Follows a page to where it ended.
   *
   * @param token - the page's continuation token; `undefined` at the end
   * @param rows - how many rows the page had. One without rows may end where it began a few times: the
   * service gave up before it found the next row
   * @throws DecodeError with the code `ContinuationLoop` when the run has been there before
   */
  step(token: string | undefined, rows: number): void {
    if (token === undefined) return
    if (token === this.#before && rows === 0 && this.#stays < MAX_STAYS) {
      this.#stays++
      return
    }
    if (token === this.#before || token === this.#landmark) {
      throw odataDecodeError(
        'ContinuationLoop',
        `A page of ${this.#model} ended with an earlier continuation token, so the query would never end. Start it again.`,
      )
    }
    this.#stays = 0
    this.#before = token
    this.#steps++
    if (this.#steps < this.#reach) return
    this.#landmark = token
    this.#steps = 0
    this.#reach *= 2
  }
}
