import type { CompiledQuery } from './compile-query.ts'

/** What every run of a query takes; a source may take more. */
export interface QueryOptions {
  /** Ends the page that is under way, and asks for no further one, when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for each attempt at a page, its body included; the source's own limit when absent. */
  readonly timeout?: number | undefined
}

/** Where to begin, for a run by pages. */
export interface PageStart {
  /** The token of the page before, from this run or an earlier one; from the start when absent. */
  readonly continuationToken?: string | undefined
}

/** How the rows of a query are to be read. */
export interface RowRequest {
  /** Whether only some properties were asked for, so that a row must not replace its entity. */
  readonly projected: boolean
}

/** Which page a source is asked for, and how its rows are to be read. */
export interface PageRequest extends RowRequest {
  /** The token that the page before ended with; absent for the first. */
  readonly continuationToken?: string
}

/** One page of rows. */
export interface QueryPage<Row> {
  /** The rows, in the order of PartitionKey and RowKey; may be empty though more pages follow. */
  readonly items: readonly Row[]
  /**
   * Opaque text with which to go on right after the last item; absent when there is nothing more, or
   * when a limit cut the page short.
   */
  readonly continuationToken?: string | undefined
}

/**
 * Where rows come from: the only thing a query needs to be run.
 *
 * @example
 * ```ts
 * const source: QuerySource<RawEntity> = {
 *   fetchPage: async ({ filter, select, top }, { continuationToken }, { signal }) =>
 *     askTheService({ filter, select, top, continuationToken, signal }),
 * }
 * ```
 */
export interface QuerySource<Row, Options extends QueryOptions = QueryOptions> {
  /**
   * Begins a run: what is to hold for all its pages together, such as a deadline, begins with it.
   * Without it, every page gets the options as they were given.
   *
   * @param options - what the caller gave to this run
   * @returns what {@link QuerySource.fetchPage} gets for each page of it
   */
  beginRun?(options: Options): Options
  /**
   * Fetches one page.
   *
   * @param query - the same on every page of a run
   * @param page - which page
   * @param options - what the caller gave to this run; the source refuses what it does not know.
   * Their signal may be another one, that also aborts when the page is no longer wanted
   */
  fetchPage(query: CompiledQuery, page: PageRequest, options: Options): Promise<QueryPage<Row>>
}
