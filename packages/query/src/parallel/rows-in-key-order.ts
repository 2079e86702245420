import { compareKeys, type EntityKey } from '@rowkey/odata'
import type { RequestGate } from '../concurrency/request-gate.ts'
import { quiet } from '../concurrency/results-in-order.ts'
import type { QueryRun } from '../run/query-run.ts'
import { runPages } from '../run/run-pages.ts'
import type { QueryOptions, QueryPage } from '../source/query-source.ts'

/** A row and its key. */
export interface KeyedRow<Row> {
  readonly key: EntityKey
  readonly row: Row
}

/**
 * Yields the rows of several runs in the order of their keys; a row that is in two of them comes once. It
 * fetches as much of each run as it needs to know the next row, and begins as many runs ahead as may run
 * at once.
 *
 * @param given - the runs, in the order in which their rows can begin
 * @param concurrency - how many run at once, unless more of them overlap
 */
export async function* rowsInKeyOrder<Row>(
  given: readonly KeyedRows<Row>[],
  concurrency: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  const streams = [...given]
  const lookAhead = () => {
    for (const stream of streams.slice(0, concurrency)) stream.begin()
  }
  let ready: Row[] = []
  let last: EntityKey | undefined
  lookAhead()
  while (streams.length > 0) {
    const { next, missing } = nextStream(streams)
    if (missing !== undefined) {
      if (ready.length > 0) yield ready
      ready = []
      await missing.fill()
      if (missing.ended) streams.splice(streams.indexOf(missing), 1)
      lookAhead()
    } else {
      const taken = next?.take()
      if (taken === undefined) continue
      if (last === undefined || compareKeys(last, taken.key) !== 0) ready.push(taken.row)
      last = taken.key
    }
  }
  if (ready.length > 0) yield ready
}

/** The stream whose head comes next, or the first one whose head is not known yet but could. */
function nextStream<Row>(streams: readonly KeyedRows<Row>[]): {
  next?: KeyedRows<Row> | undefined
  missing?: KeyedRows<Row>
} {
  let next: KeyedRows<Row> | undefined
  let lowest: EntityKey | undefined
  for (const stream of streams) {
    // The streams that follow begin no sooner than this one.
    if (lowest !== undefined && compareKeys(lowest, stream.low) < 0) break
    const { head } = stream
    if (head === undefined) return { missing: stream }
    if (lowest !== undefined && compareKeys(lowest, head.key) <= 0) continue
    next = stream
    lowest = head.key
  }
  return { next }
}

/**
 * The rows of one of several runs, in the order of their keys. It holds the page that is consumed, and
 * one more that is pending.
 */
export class KeyedRows<Row> {
  /** None of the rows comes before this key. */
  readonly low: EntityKey
  readonly #pages: AsyncGenerator<QueryPage<KeyedRow<Row>>, void, undefined>
  readonly #prefetch: boolean
  readonly #gate: RequestGate
  #ahead: Promise<IteratorResult<QueryPage<KeyedRow<Row>>, void>> | undefined
  #rows: readonly KeyedRow<Row>[] = []
  #at = 0
  #ended = false

  /**
   * @param run - a run whose rows come with their keys
   * @param low - none of them comes before this key
   * @param gate - limits the requests of all runs
   */
  constructor(run: QueryRun<KeyedRow<Row>, QueryOptions>, low: EntityKey, gate: RequestGate) {
    this.low = low
    this.#gate = gate
    this.#prefetch = run.prefetch
    // This class fetches the page ahead itself.
    this.#pages = runPages({ ...run, prefetch: false })
  }

  /** The next row, if it has come. */
  get head(): KeyedRow<Row> | undefined {
    return this.#rows[this.#at]
  }

  /** Whether there are no more rows. */
  get ended(): boolean {
    return this.#ended
  }

  /** Fetches the next page, unless one is there or pending. */
  begin(): void {
    if (this.#ended || this.head !== undefined || this.#ahead !== undefined) return
    this.#fetchAhead()
  }

  /** Waits for the next row, or the end. */
  async fill(): Promise<void> {
    while (!this.#ended && this.head === undefined) {
      this.begin()
      const result = await this.#ahead
      this.#ahead = undefined
      this.#rows = result?.done === false ? result.value.items : []
      this.#at = 0
      this.#ended = result?.done !== false
    }
  }

  /** Takes the head; the first row of a page makes it fetch the next page. */
  take(): KeyedRow<Row> | undefined {
    const head = this.head
    if (this.#prefetch && this.#at === 0 && head !== undefined) this.#fetchAhead()
    this.#at++
    return head
  }

  #fetchAhead(): void {
    this.#ahead = quiet(this.#gate.pass(() => this.#pages.next()))
  }
}
