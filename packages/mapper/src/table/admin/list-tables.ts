import { and, comparison, type FilterNode, literalOf, printFilter } from '@rowkey/odata'
import { TokenTrail } from '@rowkey/query'
import { type CallOptions, perform, queryTables, type TableService } from '@rowkey/rest'

/** Lists the names of an account's tables that match a filter, over all pages. */
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

/** Returns the filter for the table with exactly this name. */
export function nameIs(name: string): FilterNode {
  return comparison('TableName', 'eq', literalOf(name))
}

/** Returns the filter for names that start with a text: letters and digits, and `{` follows `z`. */
export function nameStartsWith(prefix: string): FilterNode {
  return and(
    comparison('TableName', 'ge', literalOf(prefix)),
    comparison('TableName', 'lt', literalOf(`${prefix}{`)),
  )
}
