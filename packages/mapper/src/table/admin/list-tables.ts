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
  type TablesQuery,
} from '@rowkey/rest'
import type { TableListOptions, TableNamesPage } from './admin-options.ts'

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
  readonly #options: TableListOptions

  /**
   * @param service - the account
   * @param options - which tables, and the options of each request
   */
  constructor(service: TableService, options: TableListOptions) {
    this.#service = service
    this.#options = { ...options }
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
    pageOptions.check(options, 'byPage of tables')
    const { prefix, filter, pageSize: top, ...call } = this.#options
    const conditions = [
      // Names have letters and digits, and `{` follows `z`.
      ...(prefix ? [compared('ge', prefix), compared('lt', `${prefix}{`)] : []),
      ...(filter === undefined ? [] : [filter]),
    ]
    const printed = conditions.length === 0 ? undefined : printFilter(and(...conditions))
    const { pendingCalls } = this.#service
    const within = pendingCalls.begin(this.#service.withDeadline(call))
    try {
      yield* tablePages(this.#service, { filter: printed, top }, within, options.continuationToken)
    } finally {
      pendingCalls.end(within)
    }
  }
}

const pageOptions = declareOptions<{ readonly continuationToken?: string | undefined }>({
  continuationToken: anything,
})

/** Yields the pages of a list of tables, from the start or after an earlier page. */
async function* tablePages(
  service: TableService,
  query: Pick<TablesQuery, 'filter' | 'top'>,
  call: CallOptions,
  start?: string,
): AsyncGenerator<TableNamesPage, void, undefined> {
  const trail = new TokenTrail('Tables', start)
  let token = start
  do {
    const continuation = token === undefined ? undefined : parseContinuationToken(token)
    const page = await perform(service, queryTables, { ...query, continuation }, call)
    token = page.continuation && printContinuationToken(page.continuation)
    trail.step(token, page.tables.length)
    yield { names: page.tables, continuationToken: token }
  } while (token !== undefined)
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
  return service.runAsOne(options, async (call) => {
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
  const filter = printFilter(compared('eq', name))
  for await (const { names } of tablePages(service, { filter }, options)) {
    if (names.length > 0) return true
  }
  return false
}
