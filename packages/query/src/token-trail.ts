import { ContinuationLoopError } from './errors/continuation-loop-error.ts'

/**
 * Where the pages of one run have been, so that a service which leads in a circle is noticed instead
 * of followed for ever.
 *
 * It keeps two tokens and not all of them: the one before, and a landmark that is moved on after 1,
 * 2, 4, 8 … pages. A circle of any length comes past a landmark, at the latest after three times
 * round.
 *
 * @example
 * ```ts
 * const trail = new TokenTrail('people', undefined)
 * trail.step('token of the first page')
 * trail.step('token of the second page')
 * ```
 */
export class TokenTrail {
  readonly #model: string
  #before: string | undefined
  #landmark: string | undefined
  #steps = 0
  #reach = 1

  /**
   * @param model - what is read, for the message
   * @param start - the token that the run begins with; `undefined` at the start
   */
  constructor(model: string, start: string | undefined) {
    this.#model = model
    this.#before = start
    this.#landmark = start
  }

  /**
   * Goes on to where a page ended.
   *
   * @param token - the page's continuation token; `undefined` at the end
   * @throws {@link ContinuationLoopError} when the run has been there before
   */
  step(token: string | undefined): void {
    if (token === undefined) return
    if (token === this.#before || token === this.#landmark) throw this.#error(token)
    this.#before = token
    this.#steps++
    if (this.#steps < this.#reach) return
    this.#landmark = token
    this.#steps = 0
    this.#reach *= 2
  }

  #error(token: string): ContinuationLoopError {
    const where = token === this.#before ? 'that it began with' : 'of an earlier page'
    return new ContinuationLoopError({
      model: this.#model,
      message: `A page of ${this.#model} ended with the continuation token ${where}, so going on would never end. Begin anew; when it happens again, the service or the source is at fault.`,
    })
  }
}
