import { type EntityKey, TokenTrail } from '@rowkey/odata'
import { quiet, type Stoppable, stoppable } from '../concurrency/results-in-order.ts'
import { type CompiledQuery, compileQuery, passOver, type QueryNode } from '../node/query-node.ts'
import {
  type AnyQuerySource,
  isRawSource,
  type QueryOptions,
  type QueryPage,
} from '../source/query-source.ts'

/** One run of a query. */
export interface QueryRun<Row, Options extends QueryOptions = QueryOptions> {
  /** The query. */
  readonly node: QueryNode
  /** Where the rows come from; {@link QueryRun.read} makes rows of what it fetches. */
  readonly source: AnyQuerySource<unknown, Options>
  /** The options of every request of the run. */
  readonly options: Options
  /** Whether the next page is fetched while the one before is consumed. */
  readonly prefetch: boolean
  /** Reads a row from what the source fetched. */
  readonly read: (raw: unknown) => Row
  /** Whether the source knows that the run has begun. Its beginning and its end are reported once. */
  readonly isBegun?: boolean
}

/**
 * Iterates over a run, and tells its source when it begins and ends: what holds for all of it together, such as a
 * deadline, begins before its first request.
 *
 * @param run - the query, its source and its options
 * @param results - yields what the run gives
 */
export async function* wholeRun<Row, Options extends QueryOptions, Result>(
  run: QueryRun<Row, Options>,
  results: (begun: QueryRun<Row, Options>) => AsyncGenerator<Result, void, undefined>,
): AsyncGenerator<Result, void, undefined> {
  const begun = beginRun(run)
  try {
    if (run.node.prepare !== undefined) await run.node.prepare()
    yield* results(begun)
  } finally {
    if (!run.isBegun) run.source.endRun?.(begun.options)
  }
}

/**
 * Works as {@link wholeRun} for a run with one result.
 *
 * @param run - the query, its source and its options
 * @param result - resolves to what the run gives
 */
export async function wholeCall<Row, Options extends QueryOptions, Result>(
  run: QueryRun<Row, Options>,
  result: (begun: QueryRun<Row, Options>) => Promise<Result>,
): Promise<Result> {
  const begun = beginRun(run)
  try {
    if (run.node.prepare !== undefined) await run.node.prepare()
    return await result(begun)
  } finally {
    if (!run.isBegun) run.source.endRun?.(begun.options)
  }
}

function beginRun<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
): QueryRun<Row, Options> {
  if (run.isBegun) return run
  return { ...run, options: run.source.beginRun?.(run.options) ?? run.options, isBegun: true }
}

/** Returns what reads the rows of a query from what its source fetches. */
export function rowReader<Row, Options extends QueryOptions>(
  node: QueryNode,
  source: AnyQuerySource<Row, Options>,
): (raw: unknown) => Row {
  // Any other source fetches rows that need no reading.
  if (!isRawSource(source)) return (row) => row as Row
  const request = Object.freeze({ projected: node.select !== undefined })
  return (raw) => source.readRow(raw, request)
}

/**
 * Where a run continues: at a token of its source, or past some rows of the page that begins
 * there.
 */
export interface PagePosition {
  /** The token of the source; `undefined` at the start. */
  readonly token: string | undefined
  /**
   * The last row that was given of the page that begins at the token, by its key; or how many of its
   * rows were given, where the source does not know keys. `undefined` before the first row.
   */
  readonly past: EntityKey | number | undefined
}

/** Which rows of a page follow a position. */
export interface FollowingRows {
  /** The index of the first of them. */
  readonly first: number
  /** The rows that the next page skips; `undefined` when it begins with a new row. */
  readonly past: PagePosition['past']
}

/** The tokens of a run whose caller may continue later. */
export interface PageTokens {
  /** Where the run begins. */
  readonly start: PagePosition
  /** Finds the rows of a page that follow a position within it. */
  rowsAfter(position: PagePosition, raws: readonly unknown[]): FollowingRows
  /** Tells which row a run that ends before a row of a page continues after. */
  rowBefore(raws: readonly unknown[], end: number): PagePosition['past']
  /** Prints where the run continues. */
  print(position: PagePosition): string
}

const START: PagePosition = Object.freeze({ token: undefined, past: undefined })

/**
 * Runs a query page by page, empty pages included. With tokens, every page but the last has one with which
 * a later run continues right after its last row, also where a limit ends it within a page of the source.
 * A page that was fetched ahead is cancelled when the loop is left.
 *
 * @param run - the query, its source and its options
 * @param tokens - absent for a caller who wants only the rows
 * @throws DecodeError with the code `ContinuationLoop` when a page ends where the run has been before
 */
export async function* runPages<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  tokens?: PageTokens,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  const { node } = run
  let position = tokens?.start ?? START
  const fetcher = new PageFetcher(run)
  const trail = new TokenTrail(node.model.name, position.token)
  let remaining = node.take ?? Number.POSITIVE_INFINITY
  let more: boolean
  try {
    do {
      const { items: raws, continuationToken } = await fetcher.fetch(position.token)
      trail.step(continuationToken, raws.length)
      const { first, past } = tokens?.rowsAfter(position, raws) ?? { first: 0, past: undefined }
      const { items, end } = await readRows(run, raws, first, remaining)
      remaining -= items.length
      const isCut = end < raws.length
      position = isCut
        ? { token: position.token, past: tokens?.rowBefore(raws, end) }
        : { token: continuationToken, past }
      more = continuationToken !== undefined && !isCut && remaining > 0
      if (continuationToken !== undefined && more && run.prefetch)
        fetcher.fetchAhead(continuationToken)
      const isEnd = tokens === undefined || (continuationToken === undefined && !isCut)
      yield isEnd ? { items } : { items, continuationToken: tokens.print(position) }
    } while (more)
  } finally {
    fetcher.stop()
  }
}

/**
 * Reads the wanted rows of a page, up to the limit. What is past the limit is not read.
 *
 * @returns the rows, and the index of the first raw row that was not looked at
 */
async function readRows<Row, Options extends QueryOptions>(
  { node, read }: QueryRun<Row, Options>,
  raws: readonly unknown[],
  first: number,
  limit: number,
): Promise<{ readonly items: Row[]; readonly end: number }> {
  const items: Row[] = []
  let end = first
  while (end < raws.length && items.length < limit) {
    let row: Row
    try {
      row = read(raws[end++])
    } catch (thrown) {
      await passOver(node.onBadRow, thrown)
      continue
    }
    if (node.localFilter?.(row) !== false) items.push(row)
  }
  return { items, end }
}

/** Fetches the pages of one run, at most one of them ahead. */
export class PageFetcher<Options extends QueryOptions> {
  readonly #run: QueryRun<unknown, Options>
  readonly #query: CompiledQuery
  readonly #projected: boolean
  #ahead: Promise<QueryPage<unknown>> | undefined
  #stoppable: Stoppable<Options> | undefined

  constructor(run: QueryRun<unknown, Options>) {
    this.#run = run
    this.#query = compileQuery(run.node)
    this.#projected = run.node.select !== undefined
  }

  /**
   * Returns a page, which may be pending already.
   *
   * @param token - where it begins; the token of {@link fetchAhead} if that was called
   */
  fetch(token: string | undefined): Promise<QueryPage<unknown>> {
    const { options } = this.#run
    // Once the signal has aborted, a page that came ahead is not used: the source tells why.
    const ahead = options.signal?.aborted ? undefined : this.#ahead
    const page = ahead ?? this.#request(token, options)
    this.#ahead = undefined
    return page
  }

  /**
   * Begins to fetch the page that comes next.
   *
   * @param token - where it begins
   */
  fetchAhead(token: string): void {
    this.#stoppable ??= stoppable(this.#run.options)
    // The error is thrown to the one who fetches the page, and ignored if the run ends before.
    this.#ahead = quiet(this.#request(token, this.#stoppable.options))
  }

  /** Cancels the request of a page that was fetched ahead and is no longer wanted. */
  stop(): void {
    if (this.#ahead !== undefined) this.#stoppable?.stop()
  }

  /** Async, so that a source that throws rejects. */
  async #request(token: string | undefined, options: Options): Promise<QueryPage<unknown>> {
    const projected = this.#projected
    const at = token === undefined ? { projected } : { projected, continuationToken: token }
    return this.#run.source.fetchPage(this.#query, at, options)
  }
}
