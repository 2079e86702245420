import { compareKeys, type EntityKey } from '@rowkey/odata'
import { quiet, stoppable } from '../concurrency/results-in-order.ts'
import { invalidQuery } from '../errors/invalid-query.ts'
import {
  mergeKey,
  type ParallelNode,
  type QueryNode,
  rangeNodes,
  withChange,
} from '../node/query-node.ts'
import { rowReading } from '../run/row-reader.ts'
import { checkScan, runPages } from '../run/run-pages.ts'
import {
  isRawSource,
  type QueryOptions,
  type QueryPage,
  type QueryRun,
  type RowReading,
} from '../source/query-source.ts'

/**
 * Yields the rows of a query that stands for several, which run at once. The limit counts the rows of all
 * of them; when one fails, or the loop is left, all of them end.
 *
 * @param run - the query, its source and its options
 * @param parallel - the queries that it stands for
 * @throws InputError with the code `TableScan` before anything is sent, when one of them would scan the
 * table
 */
export async function* parallelRows<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  parallel: ParallelNode,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (const { node } of rangeNodes(run.node)) checkScan(node)
  const { options, stop } = stoppable(run.options)
  const shared = { ...run, options }
  const { order, concurrency } = parallel
  const gate = new RequestGate(concurrency)
  try {
    const rows =
      order === 'arrival'
        ? rowsAsTheyArrive(rangeRuns(shared), concurrency)
        : rowsInKeyOrder(keyedRuns(shared, gate), concurrency)
    yield* limitRows(rows, run.node)
  } finally {
    gate.close()
    stop()
  }
}

async function* limitRows<Row>(
  chunks: AsyncIterable<readonly Row[]>,
  { take = Number.POSITIVE_INFINITY }: QueryNode,
): AsyncGenerator<readonly Row[], void, undefined> {
  let remaining = take
  for await (const rows of chunks) {
    yield rows.length > remaining ? rows.slice(0, remaining) : rows
    remaining -= rows.length
    if (remaining <= 0) return
  }
}

function rangeRuns<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): readonly QueryRun<Row, Options>[] {
  return rangeNodes(run.node).map(({ node }) => ({ ...run, node }))
}

/** Runs whose rows come with their keys. */
function keyedRuns<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  gate: RequestGate,
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
  return rangeNodes(run.node).map(({ node: ranged, low }) => {
    // The first rows that come are not those with the lowest keys, so a limit must not end the run.
    const node = isUnsorted ? withChange(ranged, { take: undefined }) : ranged
    return new KeyedRows({ ...run, node, reading }, { low, gate, isUnsorted })
  })
}

type Pages<Row> = AsyncGenerator<QueryPage<Row>, void, undefined>

/** A page, and the run that it is of. */
interface Arrival<Row> {
  readonly pages: Pages<Row>
  readonly result: IteratorResult<QueryPage<Row>, void>
}

/**
 * Yields the rows of several runs, page by page as they come. It fetches at most one page ahead of each
 * active run.
 *
 * @param runs - each begins when its turn comes
 * @param concurrency - how many run at once
 */
export async function* rowsAsTheyArrive<Row, Options extends QueryOptions>(
  runs: readonly QueryRun<Row, Options>[],
  concurrency: number,
): AsyncGenerator<readonly Row[], void, undefined> {
  const prefetch = runs[0]?.prefetch
  const waiting = runs.values()
  const active = new Map<Pages<Row>, Promise<Arrival<Row>>>()
  const fetchNext = (pages: Pages<Row>) => active.set(pages, quiet(arrivalOf(pages)))
  const beginNext = () => {
    const { value: run } = waiting.next()
    // This function fetches the page ahead itself.
    if (run !== undefined) fetchNext(runPages({ ...run, prefetch: false }))
  }
  for (let begun = 0; begun < concurrency; begun++) beginNext()
  while (active.size > 0) {
    const { pages, result } = await Promise.race(active.values())
    active.delete(pages)
    if (result.done) {
      beginNext()
      continue
    }
    if (prefetch) fetchNext(pages)
    yield result.value.items
    if (!prefetch) fetchNext(pages)
  }
}

async function arrivalOf<Row>(pages: Pages<Row>): Promise<Arrival<Row>> {
  return { pages, result: await pages.next() }
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

/** What {@link KeyedRows} must know besides the run. */
export interface KeyedRowsParts {
  /** None of the rows comes before this key. */
  readonly low: EntityKey
  /** Limits the requests of all runs. */
  readonly gate: RequestGate
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
  readonly #pages: AsyncGenerator<QueryPage<KeyedRow<Row>>, void, undefined>
  readonly #prefetch: boolean
  readonly #gate: RequestGate
  readonly #isUnsorted: boolean
  #ahead: Promise<IteratorResult<QueryPage<KeyedRow<Row>>, void>> | undefined
  #rows: readonly KeyedRow<Row>[] = []
  #at = 0
  #ended = false
  #isRead = false

  /**
   * @param run - a run whose rows come with their keys
   * @param parts - where its rows begin, and how they come
   */
  constructor(
    run: QueryRun<KeyedRow<Row>, QueryOptions>,
    { low, gate, isUnsorted }: KeyedRowsParts,
  ) {
    this.low = low
    this.#gate = gate
    this.#isUnsorted = isUnsorted
    // All rows of a source without order are there before the first is taken.
    this.#prefetch = run.prefetch && !isUnsorted
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
    if (this.#ended || this.#isRead || this.head !== undefined || this.#ahead !== undefined) return
    this.#fetchAhead()
  }

  /** Waits for the next row, or the end. */
  async fill(): Promise<void> {
    if (this.#isUnsorted) return this.#fillSorted()
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
    const result = await this.#ahead
    this.#ahead = undefined
    if (result?.done === false) return result.value.items
    this.#ended = true
    return undefined
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

/** Limits how many requests are pending at once. The others wait, in the order they came. */
export class RequestGate {
  readonly #waiting: (() => void)[] = []
  #free: number

  /** @param most - how many at once */
  constructor(most: number) {
    this.#free = most
  }

  /**
   * Makes a request, when there is room.
   *
   * @param work - begins at once where there is room, and otherwise when an earlier one ends
   */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }

  /** Drops the requests that wait: their results are no longer wanted. */
  close(): void {
    this.#waiting.length = 0
  }
}
