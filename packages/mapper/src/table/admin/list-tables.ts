import { and, comparison, type FilterNode, literalOf, printFilter } from '@rowkey/odata'
import { TokenTrail } from '@rowkey/query'
import { type CallOptions, perform, queryTables, type TableService } from '@rowkey/rest'

/** What listing tables takes. */
export interface TableListOptions extends CallOptions {
  /** Only tables whose names begin so; case counts. */
  readonly prefix?: string | undefined
}

/** The names of an account's tables that fit a filter, over all pages. */
export async function* listTables(
  service: TableService,
  filter: FilterNode | undefined,
  options: CallOptions,
): AsyncGenerator<string, void, undefined> {
  const query = filter === undefined ? {} : { filter: printFilter(filter) }
  const within = service.withDeadline(options)
  const trail = new TokenTrail('Tables', undefined)
  let page = await perform(service, queryTables, query, within)
  yield* page.tables
  while (page.continuation !== undefined) {
    const { continuation } = page
    trail.step(continuation.nextTableName, page.tables.length)
    page = await perform(service, queryTables, { ...query, continuation }, within)
    yield* page.tables
  }
}

/** Exactly the table of this name. */
export function nameIs(name: string): FilterNode {
  return comparison('TableName', 'eq', literalOf(name))
}

/**
 * Every table whose name begins so. Names are letters and digits, and `{` comes right after `z`.
 */
export function nameStartsWith(prefix: string): FilterNode {
  return and(
    comparison('TableName', 'ge', literalOf(prefix)),
    comparison('TableName', 'lt', literalOf(`${prefix}{`)),
  )
}
