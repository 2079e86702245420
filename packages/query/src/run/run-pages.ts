import { type EntityKey, type InputError, TokenTrail } from '@rowkey/odata'
import { quiet, type Stoppable, stoppable } from '../concurrency/results-in-order.ts'
import { queryInputError } from '../errors/codes.ts'
import {
  type CompiledQuery,
  compileQuery,
  loweredFilter,
  type QueryNode,
} from '../node/query-node.ts'
import { allowsPlan, matchesNothing, type PlanClass, planClassOf } from '../plan/filter-plan.ts'
import type { QueryOptions, QueryPage, QueryRun, RowReading } from '../source/query-source.ts'
import { passOver, rowReading } from './row-reader.ts'

/**
 * Rejects a query that would read more than its scan policy allows.
 *
 * @throws InputError with the code `TableScan` when the service would read the whole table, or a range of
 * partitions, and the policy excludes it. With the code `PartitionScan` when it would read a whole
 * partition and the policy excludes that
 */
export function checkScan(node: QueryNode): void {
  const plan = planClassOf(loweredFilter(node))
  if (!allowsPlan(node.scans, plan)) throw scanError(node, plan)
}

function scanError(node: QueryNode, plan: PlanClass): InputError {
  const { name: model } = node.model
  const { filter } = compileQuery(node)
  const itsFilter = filter === undefined ? 'It has no condition' : `Its filter is: ${filter}`
  const isPartition = plan === 'partitionScan'
  const key = isPartition ? 'RowKey' : 'PartitionKey'
  const optIn = isPartition ? 'allowPartitionScan' : 'allowTableScan'
  return queryInputError({
    code: isPartition ? 'PartitionScan' : 'TableScan',
    details: { model, filter },
    message:
      `The query on ${model} ${FAULTS[plan]}. ${itsFilter}. ` +
      `Add a condition on ${key} that must always hold, or allow it with .${optIn}().`,
  })
}

const FAULTS: Readonly<Partial<Record<PlanClass, string>>> = {
  partitionScan: 'does not bound RowKey, so the service would read the whole partition',
  tableRange: 'does not fix PartitionKey, so the service would read every partition of a range',
  tableScan: 'does not bound PartitionKey, so the service would read the whole table',
}

/**
 * Where a run continues: at a token of its source, or past some rows of the page that begins
 * there.
 */
export interface PagePosition {
  /** The token of the source; `undefined` at the start. */
  readonly token: string | undefined
  /**
   * The last row that was returned of the page that begins at the token. Where the source has no keys, the
   * number of its rows that were returned. `undefined` before the first row.
   */
  readonly past: PassedRow | number | undefined
}

/** The last row of a page that was returned. */
export interface PassedRow extends EntityKey {
  /** Which row of the page it was, counted from 1. Needed only where rows are not sorted. */
  readonly place?: number
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
  /** Tells whether a page is too short to say which rows follow a position: the next one is needed, too. */
  isShort(position: PagePosition, raws: readonly unknown[]): boolean
  /** Finds the rows of a page that follow a position within it. */
  rowsAfter(position: PagePosition, raws: readonly unknown[]): FollowingRows
  /** Tells which row a run that ends before a row of a page continues after. */
  rowBefore(raws: readonly unknown[], end: number): PagePosition['past']
  /** Prints where the run continues. */
  print(position: PagePosition): string
}

/** Prints the position of a run whose caller has received all rows before it. */
export type PlacePrinter = (position: PagePosition) => string

/**
 * Gives an error that has a member `continuationToken` the token with which a later run goes on.
 *
 * @param error - of the source
 * @param token - `undefined` when the run goes on at its start
 */
export function withPlace(error: unknown, token: string | undefined): unknown {
  return error instanceof Error && 'continuationToken' in error
    ? Object.assign(error, { continuationToken: token })
    : error
}

const START: PagePosition = Object.freeze({ token: undefined, past: undefined })

/**
 * Runs a query page by page, empty pages included. With tokens, every page but the last has one. With it a
 * later run continues right after the page's last row, also where a limit ends it within a page of the
 * source. A page that was fetched ahead is cancelled when the loop is left.
 *
 * @param run - the query, its source and its options
 * @param tokens - absent for a caller who wants only the rows
 * @param placeOf - absent for a caller who loses the rows when the run fails
 * @throws DecodeError with the code `ContinuationLoop` when a page ends where the run has been before
 */
export async function* runPages<Row, Options extends QueryOptions>(
  run: QueryRun<Row, Options>,
  tokens?: PageTokens,
  placeOf?: PlacePrinter,
): AsyncGenerator<QueryPage<Row>, void, undefined> {
  const { node } = run
  if (matchesNothing(loweredFilter(node))) {
    yield { items: [] }
    return
  }
  let position = tokens?.start ?? START
  const fetcher = new PageFetcher(run)
  const reading = rowReading(run)
  const trail = new TokenTrail(node.model.name, position.token)
  let remaining = node.take ?? Number.POSITIVE_INFINITY
  let more: boolean
  try {
    do {
      let { items: raws, continuationToken } = await fetcher.fetch(position.token)
      trail.step(continuationToken, raws.length)
      while (continuationToken !== undefined && tokens?.isShort(position, raws)) {
        const next = await fetcher.fetch(continuationToken)
        trail.step(next.continuationToken, next.items.length)
        raws = [...raws, ...next.items]
        continuationToken = next.continuationToken
      }
      const { first, past } = tokens?.rowsAfter(position, raws) ?? { first: 0, past: undefined }
      const { items, end } = await readRows({ node, ...reading }, raws, first, remaining)
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
  } catch (error) {
    if (placeOf === undefined) throw error
    throw withPlace(error, position === START ? undefined : placeOf(position))
  } finally {
    fetcher.stop()
  }
}

/**
 * Reads the wanted rows of a page, up to the limit. What is past the limit is not read.
 *
 * @returns the rows, and the index of the first raw row that was not looked at
 */
export async function readRows<Row>(
  { node, read, isWanted }: RowReading<Row> & { readonly node: QueryNode },
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
    if (isWanted(row)) items.push(row)
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
