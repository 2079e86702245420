import { compareKeys, type EntityKey } from '@rowkey/odata'
import { quiet } from '../concurrency/results-in-order.ts'
import { invalidQuery } from '../errors/invalid-query.ts'
import { mergeKey, rangeNodes, withChange } from '../node/query-node.ts'
import { rowReading } from '../run/row-reader.ts'
import {
  isRawSource,
  type QueryOptions,
  type QueryRun,
  type RowReading,
} from '../source/query-source.ts'
import { type ParallelSchedule, RangePages } from './range-pages.ts'

/** Runs whose rows come with their keys. */
export function keyedRuns<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  schedule: ParallelSchedule,
): readonly KeyedRows<Row>[] {
  const { source } = run
  const { name: model } = run.node.model
  const order = run.node.parallel?.order
  if (!isRawSource(source)) {
    throw invalidQuery(
      `The source of ${model} does not know the keys of its rows, so they cannot be sorted: use order: 'arrival'.`,
      { model },
    )
  }
  const { read, isWanted } = rowReading(run)
  const reading: RowReading<KeyedRow<Row>> = {
    read: (raw) => ({ key: mergeKey(source.keyOf(raw), order), row: read(raw) }),
    isWanted: ({ row }) => isWanted(row),
  }
  const isUnsorted = source.isUnsorted === true
  return rangeNodes(run.node).map(({ node: ranged, low, partition }) => {
    // The first rows that come are not those with the lowest keys, so a limit must not end the run.
    const node = isUnsorted ? withChange(ranged, { take: undefined }) : ranged
    const pages = new RangePages({ ...run, node, reading }, partition, schedule)
    return new KeyedRows(pages, { low, schedule, isUnsorted })
  })
}

/** A row, and what it is merged by. */
export interface KeyedRow<Row> {
  readonly key: EntityKey
  readonly row: Row
}

/**
 * Yields the rows of several runs in the order of what they are merged by; a row that is in two of them comes once. It
 * fetches as much of each run as it needs to know the next row, and begins as many runs ahead as may run
 * at once.
 *
 * @param given - the runs, in the order in which their rows can begin
 * @param schedule - how many run at once, unless more of them overlap
 */
export async function* rowsInKeyOrder<Row>(
  given: readonly KeyedRows<Row>[],
  { ahead, gate, budget }: ParallelSchedule,
): AsyncGenerator<readonly Row[], void, undefined> {
  const streams = [...given]
  const lookAhead = () => {
    for (const stream of streams.slice(0, ahead)) stream.begin()
  }
  let ready: Row[] = []
  /** The rows that were taken since, with those that two runs have. */
  let taken = 0
  let last: EntityKey | undefined
  lookAhead()
  while (streams.length > 0) {
    const { next, missing } = nextStream(streams)
    if (missing !== undefined) {
      if (ready.length > 0) yield ready
      ready = []
      budget.passedOn(taken)
      taken = 0
      gate.retry()
      await missing.fill()
      if (missing.ended) streams.splice(streams.indexOf(missing), 1)
      lookAhead()
    } else {
      const head = next?.take()
      if (head === undefined) continue
      taken++
      if (last === undefined || compareKeys(last, head.key) !== 0) ready.push(head.row)
      last = head.key
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

/** What {@link KeyedRows} must know besides the run. */
export interface KeyedRowsParts {
  /** None of the rows comes before this key. */
  readonly low: EntityKey
  /** When the requests of all runs begin. */
  readonly schedule: ParallelSchedule
  /** Whether the source gives the rows in another order than that of their keys. */
  readonly isUnsorted: boolean
}

/**
 * The rows of one of several runs, in the order of their keys. It holds the page that is consumed, and
 * one more that is pending. Of a source without that order it holds all rows.
 */
export class KeyedRows<Row> {
  /** None of the rows comes before this key. */
  readonly low: EntityKey
  readonly #pages: RangePages<KeyedRow<Row>>
  readonly #parts: KeyedRowsParts
  /** Whether the next row of all runs cannot be known without this run. */
  #isAwaited = false
  /** The rows of the next page as they came; `undefined` after the last page. */
  #ahead: Promise<readonly unknown[] | undefined> | undefined
  #rows: readonly KeyedRow<Row>[] = []
  #at = 0
  #ended = false
  #isRead = false

  /**
   * @param pages - the pages of a run whose rows come with their keys
   * @param parts - where its rows begin, and how they come
   */
  constructor(pages: RangePages<KeyedRow<Row>>, parts: KeyedRowsParts) {
    this.low = parts.low
    this.#pages = pages
    this.#parts = parts
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
    if (this.#ended || this.#isRead || this.head !== undefined || this.#ahead !== undefined) return
    this.#fetchAhead()
  }

  /** Waits for the next row, or the end. */
  async fill(): Promise<void> {
    this.#isAwaited = true
    this.#parts.schedule.gate.retry()
    await (this.#parts.isUnsorted ? this.#fillSorted() : this.#fillNext())
    this.#isAwaited = false
  }

  async #fillNext(): Promise<void> {
    while (!this.#ended && this.head === undefined) {
      this.#rows = (await this.#nextPage()) ?? []
      this.#at = 0
    }
  }

  /** Reads the run to its end, and sorts its rows. */
  async #fillSorted(): Promise<void> {
    if (this.#isRead) {
      this.#ended = this.head === undefined
      return
    }
    const all: KeyedRow<Row>[] = []
    for (let rows = await this.#nextPage(); rows !== undefined; rows = await this.#nextPage()) {
      for (const row of rows) all.push(row)
    }
    this.#isRead = true
    this.#rows = all.sort((one, other) => compareKeys(one.key, other.key))
    this.#ended = all.length === 0
  }

  /** Waits for the next page; `undefined` at the end. */
  async #nextPage(): Promise<readonly KeyedRow<Row>[] | undefined> {
    this.begin()
    const raws = await this.#ahead
    this.#ahead = undefined
    if (raws !== undefined) return this.#pages.read(raws)
    this.#ended = true
    return undefined
  }

  /** Takes the head; the first row of a page makes it fetch the next page. */
  take(): KeyedRow<Row> | undefined {
    const head = this.head
    // All rows of a source without order are there before the first is taken.
    const prefetch = this.#parts.schedule.prefetch && !this.#parts.isUnsorted
    if (prefetch && this.#at === 0 && head !== undefined) this.#fetchAhead()
    this.#at++
    return head
  }

  #fetchAhead(): void {
    const isWelcome = () => this.#isAwaited || this.#parts.schedule.budget.hasRoom
    this.#ahead = quiet(this.#pages.fetch(isWelcome))
  }
}
