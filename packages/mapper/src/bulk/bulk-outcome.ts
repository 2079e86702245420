import type { EntityKey } from '@rowkey/odata'
import type { BulkKind } from './bulk-target.ts'

/** The operation that an outcome belongs to. */
export interface BulkSubject<Item> {
  /** The place of the operation in the input, counted from 0. */
  readonly index: number
  /** The entity, key or operation, as the input gave it. */
  readonly item: Item
  /** The method of a table that does the same. */
  readonly kind: BulkKind
  /**
   * PartitionKey and RowKey; `undefined` when the operation was rejected before they were known.
   */
  readonly key: EntityKey | undefined
}

/** The service applied the operation. */
export interface BulkDone<Item> extends BulkSubject<Item> {
  /** Tells the outcomes apart. */
  readonly status: 'done'
  /** The ETag of the stored entity; `undefined` after a delete. */
  readonly etag: string | undefined
  /** Whether an earlier run of the same journal did it; its ETag is unknown then. */
  readonly resumed?: true
  /** Whether the operation met a conflict, and `modify` changed the stored entity instead. */
  readonly modified: boolean
}

/**
 * The operation met a conflict, and `onConflict: 'skip'` left the stored entity as it is; or found no entity, with
 * `onMissing: 'skip'`.
 */
export interface BulkSkipped<Item> extends BulkSubject<Item> {
  /** Tells the outcomes apart. */
  readonly status: 'skipped'
  /** Whether an earlier run of the same journal skipped it; its error is unknown then. */
  readonly resumed?: true
  /** The error of the conflict, or of the missing entity. */
  readonly error: unknown
}

/** The operation was not applied. */
export interface BulkFailed<Item> extends BulkSubject<Item> {
  /** Tells the outcomes apart. */
  readonly status: 'failed'
  /** Why it was not applied. */
  readonly error: unknown
}

/** The operation was sent, and it is unknown whether the service applied it. */
export interface BulkUnknown<Item> extends BulkSubject<Item> {
  /** Tells the outcomes apart. */
  readonly status: 'unknown'
  /** Why it is unknown: an AmbiguousWriteError has `resolve()`, which reads what is stored. */
  readonly error: unknown
}

/** What happened to one operation of a bulk write. */
export type BulkOutcome<Item = unknown> =
  | BulkDone<Item>
  | BulkSkipped<Item>
  | BulkFailed<Item>
  | BulkUnknown<Item>

/** How many operations ended in which way. */
export interface BulkCounts {
  /** How many were applied. */
  readonly done: number
  /** How many met a conflict or no entity, and were skipped. */
  readonly skipped: number
  /** How many were not applied. */
  readonly failed: number
  /** How many were sent, and may or may not have been applied. */
  readonly unknown: number
  /** How many of those that were done or skipped ended in an earlier run of the same journal. */
  readonly resumed: number
}

/** How far a bulk write is. */
export interface BulkProgress extends BulkCounts {
  /** How many operations were read from the input so far. */
  readonly read: number
  /** How many operations ended per second, over the last ten seconds. */
  readonly rate: number
  /** Milliseconds until the end at this rate; `undefined` when `total` or the rate is unknown. */
  readonly remaining: number | undefined
}

/**
 * How a bulk write ended.
 *
 * | ending | |
 * |---|---|
 * | `complete` | the whole input was read |
 * | `aborted` | the signal aborted |
 * | `left` | the loop over the outcomes was left |
 * | `failed` | the input or the journal failed, the deadline passed, the account was closed, the table is missing, or the
 * service rejected the credential: see `cause` |
 */
export type BulkEnding = 'complete' | 'aborted' | 'left' | 'failed'

/** The result of a bulk write. */
export interface BulkSummary extends BulkCounts {
  /** How many operations were read from the input. */
  readonly read: number
  /** How it ended. */
  readonly ending: BulkEnding
  /** Why it ended early; `undefined` when it did not. */
  readonly cause: unknown
  /** The first 100 outcomes that failed or are unknown; iterate over the run to get all of them. */
  readonly failures: readonly (BulkFailed<unknown> | BulkUnknown<unknown>)[]
  /** Milliseconds from the beginning to the end. */
  readonly elapsed: number
}

/** How many failed or unknown outcomes a summary keeps. */
const MOST_FAILURES = 100

/** Adds the counts and failures of one write to those of another. */
export function addedSummary(one: BulkSummary | undefined, other: BulkSummary): BulkSummary {
  if (one === undefined) return other
  return {
    read: one.read + other.read,
    done: one.done + other.done,
    skipped: one.skipped + other.skipped,
    failed: one.failed + other.failed,
    unknown: one.unknown + other.unknown,
    resumed: one.resumed + other.resumed,
    ending: one.ending === 'complete' ? other.ending : one.ending,
    cause: one.cause ?? other.cause,
    failures: [...one.failures, ...other.failures].slice(0, MOST_FAILURES),
    elapsed: one.elapsed + other.elapsed,
  }
}

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

/** Returns the outcome of an operation that an earlier run ended. */
export function resumedOutcome(
  subject: Omit<BulkSubject<unknown>, 'key'> & Partial<Pick<BulkSubject<unknown>, 'key'>>,
  status: 'done' | 'skipped',
): BulkOutcome {
  const ended = { key: undefined, ...subject, resumed: true } as const
  if (status === 'skipped') return { ...ended, status, error: undefined }
  return { ...ended, status, etag: undefined, modified: false }
}
