import { Bell } from './bell.ts'
import type { BulkOutcome } from './bulk-outcome.ts'

/** Outcomes that the caller's loop has not read yet. */
export class OutcomeQueue {
  #outcomes: BulkOutcome[] = []
  #at = 0
  #ended = false
  readonly #bell = new Bell()

  /** How many outcomes wait to be read. */
  get size(): number {
    return this.#outcomes.length - this.#at
  }

  /** Adds an outcome. */
  push(outcome: BulkOutcome): void {
    this.#outcomes.push(outcome)
    this.#bell.ring()
  }

  /** Ends the loop after the outcomes that wait. */
  end(): void {
    this.#ended = true
    this.#bell.ring()
  }

  /** Takes the next outcome; `undefined` at the end. */
  async next(): Promise<BulkOutcome | undefined> {
    while (this.size === 0 && !this.#ended) await this.#bell.next()
    const next = this.#outcomes[this.#at]
    if (next === undefined) return undefined
    this.#at++
    if (this.size === 0) {
      this.#outcomes = []
      this.#at = 0
    }
    return next
  }
}
