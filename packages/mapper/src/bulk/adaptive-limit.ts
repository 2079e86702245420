/** Where a limit stands when a transaction begins: see {@link AdaptiveLimit.begin}. */
export interface LimitTicket {
  /** How often the limit had been lowered. */
  round: number
}

/**
 * How many transactions may be in flight at once. It adds one after as many successes as it allows at
 * once, and halves when the service throttles. All transactions that were in flight together halve it
 * once.
 */
export class AdaptiveLimit {
  readonly #most: number
  #current: number
  #successes = 0
  #round = 0

  /**
   * @param start - the limit at the beginning
   * @param most - the limit never exceeds it
   */
  constructor(start: number, most: number) {
    this.#most = most
    this.#current = Math.min(start, most)
  }

  /** How many may be in flight now. */
  get current(): number {
    return this.#current
  }

  /** Begins a transaction. */
  begin(): LimitTicket {
    return { round: this.#round }
  }

  /** Records that the service applied a transaction. */
  succeeded(): void {
    this.#successes++
    if (this.#successes < this.#current) return
    this.#successes = 0
    this.#current = Math.min(this.#current + 1, this.#most)
  }

  /** Records that the service throttled an attempt of a transaction. */
  throttled(ticket: LimitTicket): void {
    if (ticket.round === this.#round) {
      this.#round++
      this.#successes = 0
      this.#current = Math.max(1, Math.floor(this.#current / 2))
    }
    // A later attempt of the same transaction counts again.
    ticket.round = this.#round
  }
}
