import {
  and,
  anything,
  comparison,
  declareOptions,
  type FilterNode,
  literalOf,
  printFilter,
  TokenTrail,
} from '@rowkey/odata'
import {
  type CallOptions,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryTables,
  type TableService,
} from '@rowkey/rest'
import type { TableNamesPage, TablesToList } from './admin-options.ts'

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
    const { pendingCalls } = this.#service
    const within = pendingCalls.begin(this.#service.withDeadline(this.#options))
    try {
      yield* tablePages(this.#service, this.#tables, within, options)
    } finally {
      pendingCalls.end(within)
    }
  }
}

const pageOptions = declareOptions<{ readonly continuationToken?: string | undefined }>({
  continuationToken: anything,
})

/** Yields the pages of a list of tables. */
async function* tablePages(
  service: TableService,
  tables: TablesToList,
  call: CallOptions,
  options: { readonly continuationToken?: string | undefined },
): AsyncGenerator<TableNamesPage, void, undefined> {
  pageOptions.check(options, 'byPage of tables')
  const filter = tablesFilter(tables)
  const query = { filter: filter && printFilter(filter), top: tables.pageSize }
  const within = service.withDeadline(call)
  const trail = new TokenTrail('Tables', options.continuationToken)
  let token = options.continuationToken
  do {
    const continuation = token === undefined ? undefined : parseContinuationToken(token)
    const page = await perform(service, queryTables, { ...query, continuation }, within)
    token = page.continuation && printContinuationToken(page.continuation)
    trail.step(token, page.tables.length)
    yield { names: page.tables, continuationToken: token }
  } while (token !== undefined)
}

/** Joins the conditions of a list. */
export function tablesFilter({ name, prefix, filter }: TablesToList): FilterNode | undefined {
  const conditions = [
    ...(name === undefined ? [] : [compared('eq', name)]),
    // Names have letters and digits, and `{` follows `z`.
    ...(prefix ? [compared('ge', prefix), compared('lt', `${prefix}{`)] : []),
    ...(filter === undefined ? [] : [filter]),
  ]
  return conditions.length === 0 ? undefined : and(...conditions)
}

function compared(operator: 'eq' | 'ge' | 'lt', name: string): FilterNode {
  return comparison('TableName', operator, literalOf(name))
}

/** Tells whether a table exists; the primary decides when the secondary does not list it. */
export function tableExists(
  service: TableService,
  table: string,
  options: CallOptions,
): Promise<boolean> {
  return service.pendingCalls.runSeries(service.withDeadline(options), async (call) => {
    if (await isListed(service, table, call)) return true
    const mode = options.locationMode ?? service.locationMode
    if (mode === 'primaryOnly' || mode === 'secondaryOnly') return false
    return isListed(service, table, { ...call, locationMode: 'primaryOnly' })
  })
}

async function isListed(
  service: TableService,
  name: string,
  options: CallOptions,
): Promise<boolean> {
  for await (const { names } of tablePages(service, { name }, options, {})) {
    if (names.length > 0) return true
  }
  return false
}
