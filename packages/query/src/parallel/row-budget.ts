/** As many rows as eight partitions with a page each, and one more page ahead of each. */
const MOST_ROWS = 16_000

/** Bounds how many rows of several concurrent queries are fetched before they are wanted. */
export class RowBudget {
  readonly #most: number
  #held = 0
  #pending = 0
  #largest = 0

  /** @param most - how many rows at most are held or expected */
  constructor(most: number = MOST_ROWS) {
    this.#most = most
  }

  /** Whether one more page may be fetched, if it has as many rows as the largest so far. */
  get hasRoom(): boolean {
    if (this.#held + this.#pending === 0) return true
    return this.#held + (this.#pending + 1) * this.#largest <= this.#most
  }

  /** Counts a page that is to be fetched. */
  expect(): void {
    this.#pending++
  }

  /** Counts the rows of a page that was fetched; none of one that failed. */
  arrived(rows: number): void {
    this.#pending--
    this.#held += rows
    this.#largest = Math.max(this.#largest, rows)
  }

  /** Removes rows that were passed on. */
  passedOn(rows: number): void {
    this.#held -= rows
  }
}
