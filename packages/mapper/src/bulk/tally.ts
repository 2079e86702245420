import {
  type BulkEnding,
  type BulkOutcome,
  type BulkProgress,
  type BulkSummary,
  MOST_FAILURES,
} from './bulk-outcome.ts'

/** The rate is that of the last ten seconds, in milliseconds. */
const RATE_WINDOW = 10_000

/** Counts the outcomes of a bulk write. */
export class Tally {
  readonly #now: () => number
  readonly #total: number | undefined
  readonly #startedAt: number
  readonly #counts = { done: 0, skipped: 0, failed: 0, unknown: 0, resumed: 0 }
  readonly #failures: BulkSummary['failures'][number][] = []
  /** When how many operations had ended, at most one entry for 100 ms. */
  readonly #samples: { readonly at: number; readonly ended: number }[]
  /** How many operations were read. */
  read = 0

  /**
   * @param now - the clock: milliseconds
   * @param total - how many operations the input has, if known
   */
  constructor(now: () => number, total: number | undefined) {
    this.#now = now
    this.#total = total
    this.#startedAt = now()
    this.#samples = [{ at: this.#startedAt, ended: 0 }]
  }

  /** Counts an outcome. */
  count(outcome: BulkOutcome): void {
    this.#counts[outcome.status]++
    if ('resumed' in outcome) this.#counts.resumed++
    const isFailure = outcome.status === 'failed' || outcome.status === 'unknown'
    if (isFailure && this.#failures.length < MOST_FAILURES) this.#failures.push(outcome)
  }

  /** Returns how far the write is. */
  progress(): BulkProgress {
    const now = this.#now()
    const ended = this.#ended
    // What an earlier run did took no time.
    const rate = this.#rateAt(now, ended - this.#counts.resumed)
    const left = this.#total === undefined ? undefined : Math.max(0, this.#total - ended)
    const remaining = left === undefined || rate === 0 ? undefined : (left / rate) * 1000
    return { ...this.#counts, read: this.read, rate, remaining: left === 0 ? 0 : remaining }
  }

  /** Returns the result. */
  summary(ending: BulkEnding, cause: unknown): BulkSummary {
    const elapsed = this.#now() - this.#startedAt
    const failures = [...this.#failures]
    return { ...this.#counts, read: this.read, ending, cause, failures, elapsed }
  }

  get #ended(): number {
    const { done, skipped, failed, unknown } = this.#counts
    return done + skipped + failed + unknown
  }

  #rateAt(now: number, ended: number): number {
    const samples = this.#samples
    while (samples.length > 1 && now - samples[1]!.at >= RATE_WINDOW) samples.shift()
    const first = samples[0]!
    if (now - samples.at(-1)!.at >= 100) samples.push({ at: now, ended })
    return now > first.at ? ((ended - first.ended) * 1000) / (now - first.at) : 0
  }
}
