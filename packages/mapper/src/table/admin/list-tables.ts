import { and, comparison, type FilterNode, literalOf, printFilter, TokenTrail } from '@rowkey/odata'
import {
  type CallOptions,
  checkOptions,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryTables,
  type TableService,
} from '@rowkey/rest'

/** One page of the names of an account's tables. */
export interface TableNamesPage {
  /** The names, in order; a page may be empty although more follow. */
  readonly names: readonly string[]
  /** Where the next page begins; `undefined` at the end. */
  readonly continuationToken: string | undefined
}

/** Which tables to list, and how many in one page. */
interface TablesToList {
  readonly filter?: FilterNode | undefined
  readonly pageSize?: number | undefined
}

/**
 * The names of an account's tables, from {@link Account.tables}. Nothing is sent before they are read.
 *
 * @example
 * ```ts
 * for await (const name of account.tables()) console.log(name)
 * for await (const { names, continuationToken } of account.tables({ pageSize: 100 }).byPage()) {
 *   console.log(names.length, continuationToken)
 * }
 * ```
 */
export class TableNames implements AsyncIterable<string> {
  readonly #service: TableService
  readonly #tables: TablesToList
  readonly #options: CallOptions

  /**
   * @param service - the account
   * @param tables - which tables
   * @param options - the options of each request
   */
  constructor(service: TableService, tables: TablesToList, options: CallOptions) {
    this.#service = service
    this.#tables = tables
    this.#options = options
  }

  /** Reads all names, over all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for await (const { names } of this.byPage()) yield* names
  }

  /**
   * Reads page by page.
   *
   * @param options - `continuationToken`: the token of an earlier page, to begin after it
   * @throws InputError (`InvalidContinuationToken`) for a text that is not a token, or one of another list
   */
  async *byPage(
    options: { readonly continuationToken?: string | undefined } = {},
  ): AsyncGenerator<TableNamesPage, void, undefined> {
    checkOptions(options, ['continuationToken'], 'byPage of tables')
    const { pendingCalls } = this.#service
    const within = pendingCalls.begin(this.#service.withDeadline(this.#options))
    try {
      yield* this.#pages(options.continuationToken, within)
    } finally {
      pendingCalls.end(within)
    }
  }

  async *#pages(
    start: string | undefined,
    within: CallOptions,
  ): AsyncGenerator<TableNamesPage, void, undefined> {
    const { filter, pageSize } = this.#tables
    const query = { filter: filter && printFilter(filter), top: pageSize }
    const trail = new TokenTrail('Tables', start)
    let token = start
    do {
      const continuation = token === undefined ? undefined : parseContinuationToken(token)
      const page = await perform(this.#service, queryTables, { ...query, continuation }, within)
      token = page.continuation && printContinuationToken(page.continuation)
      trail.step(token, page.tables.length)
      yield { names: page.tables, continuationToken: token }
    } while (token !== undefined)
  }
}

/** Returns the filter for the table with exactly this name. */
export function nameIs(name: string): FilterNode {
  return comparison('TableName', 'eq', literalOf(name))
}

/** Joins the conditions of a list: a prefix, and a filter. */
export function tablesFilter(
  prefix: string | undefined,
  filter: FilterNode | undefined,
): FilterNode | undefined {
  if (!prefix) return filter
  const starts = nameStartsWith(prefix)
  return filter === undefined ? starts : and(starts, filter)
}

/** Returns the filter for names that start with a text: letters and digits, and `{` follows `z`. */
export function nameStartsWith(prefix: string): FilterNode {
  return and(
    comparison('TableName', 'ge', literalOf(prefix)),
    comparison('TableName', 'lt', literalOf(`${prefix}{`)),
  )
}
