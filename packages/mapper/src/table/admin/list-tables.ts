import {
  and,
  anything,
  beginsWith,
  comparison,
  declareOptions,
  type FilterNode,
  literalOf,
  or,
  printFilter,
  TokenTrail,
} from '@rowkey/odata'
import {
  type Call,
  type CallOptions,
  type Endpoint,
  hasTable,
  parseContinuationToken,
  printContinuationToken,
  queryTables,
  type TableService,
  tableIdOf,
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
    const { prefix = '', filter, pageSize: top, ...rest } = this.#options
    const service = this.#service
    const { endpoint } = service
    const conditions = [prefix ? namesFilter(prefix, endpoint) : [], filter ?? []].flat()
    const printed = conditions.length > 0 ? printFilter(and(...conditions)) : undefined
    const isListed = (name: string) =>
      tableIdOf(name, endpoint).startsWith(tableIdOf(prefix, endpoint))
    let { continuationToken: token } = options
    const call = service.begin(rest, 'tables')
    try {
      const trail = new TokenTrail('Tables', token)
      do {
        const continuation = token === undefined ? undefined : parseContinuationToken(token)
        const query = { filter: printed, top, continuation }
        const page = await call.perform(queryTables, query)
        token = page.continuation && printContinuationToken(page.continuation)
        trail.step(token, page.tables.length)
        yield { names: page.tables.filter(isListed), continuationToken: token }
      } while (token !== undefined)
    } finally {
      call.end()
    }
  }
}

const pageOptions = declareOptions<{ readonly continuationToken?: string | undefined }>({
  continuationToken: anything,
})

/**
 * Makes the condition of the names that begin with a text. On Table storage, names that differ in their case are those of one table, but
 * filters compare the case, so the condition holds for a few other names, too.
 */
function namesFilter(prefix: string, { flavour }: Endpoint): FilterNode {
  if (flavour === 'cosmos') return beginsWith('TableName', prefix)
  const [upper, lower] = [prefix.toUpperCase(), prefix.toLowerCase()]
  const range = (first: string) =>
    and(
      comparison('TableName', 'ge', literalOf(first + upper.slice(1))),
      // Names have letters and digits, and `{` follows `z`.
      comparison('TableName', 'lt', literalOf(`${first}${lower.slice(1)}{`)),
    )
  return or(range(upper.charAt(0)), range(lower.charAt(0)))
}

/** Tells whether a table exists; the primary decides when the secondary does not list it. */
export function tableExists(
  service: TableService,
  table: string,
  options: CallOptions,
): Promise<boolean> {
  return service.call(options, `exists of table ${table}`, async (call) => {
    const { locationMode = service.locationMode } = options
    if (await isThere(call, table)) return true
    return locationMode.includes('Then') && isThere(call.atPrimary(), table)
  })
}

async function isThere(call: Call, table: string): Promise<boolean> {
  const { service, options } = call
  if (service.endpoint.flavour !== 'cosmos') return call.perform(hasTable, { table })
  // How Cosmos DB responds to a request for one table is not known.
  const filter = comparison('TableName', 'eq', literalOf(table))
  for await (const _ of new TableNames(service, { ...options, filter })) return true
  return false
}
