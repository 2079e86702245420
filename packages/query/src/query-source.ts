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

/** Which page `.page` reads. */
export interface PageOptions {
  /** How many rows, a whole number from 1; only the page at the end has fewer. */
  readonly size: number
  /** The `next` of the page before; from the start when absent. */
  readonly token?: string | undefined
}

/** One page as `.page` reads it: as many rows as were asked for, or what is left at the end. */
export interface FullPage<Row> {
  /** The rows, in the order of PartitionKey and RowKey. */
  readonly items: Row[]
  /**
   * The token of the next page; absent at the end, and only there. When the last row is the last of a
   * page, the service may not know yet that it was: then the next page is empty.
   */
  readonly next?: string | undefined
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
   * Opaque text with which to continue right after the last item; absent only at the end. A source
   * that has nothing more may still give one: then the next page is empty.
   */
  readonly continuationToken?: string | undefined
}

/**
 * Seals the continuation tokens of a source, which hold keys of rows in plain base64, so that they can
 * be shown to anyone and none but its own are accepted.
 */
export interface TokenSeal {
  /**
   * Encrypts a token.
   *
   * @param token - where a query continues
   * @param query - the query, which the token is bound to
   * @returns letters, digits, `-` and `_`
   */
  seal(token: string, query: string): string
  /**
   * Decrypts a token.
   *
   * @param sealed - any text
   * @param query - the query that is to continue
   * @returns `undefined` when {@link TokenSeal.seal} did not make the text, for this query
   */
  open(sealed: string, query: string): string | undefined
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
  /** The table that the rows are in; continuation tokens are bound to it. */
  readonly table?: string | undefined
  /** Seals the continuation tokens that leave a query; they are readable when absent. */
  readonly tokenSeal?: TokenSeal | undefined
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
