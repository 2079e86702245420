import {
  type DigestedQuery,
  type FilterNode,
  isRowkeyError,
  parseFilter,
  propertiesIn,
  type RawEntity,
} from '@rowkey/odata'
import type { CompiledQuery, QueryPage, QueryPlan, RawQuerySource } from '@rowkey/query'
import { type Call, type CallOptions, callOf } from '@rowkey/rest'
import { positionIn, printPosition } from '../rows/resumed-source.ts'
import type { Rows } from '../rows/rows.ts'
import { MOST_ENTRIES, rowsOf, wantedRow } from './entry-rows.ts'
import type { FoundEntry, KeptTable, RowPath } from './row-path.ts'

/** Reads the rows of one table for queries. */
export type TableSource<Entity> = RawQuerySource<Entity, CallOptions, RawEntity>

/** The paths to the rows of a table. */
interface TablePaths {
  readonly table: KeptTable
  /** The paths of the keepers of its model. */
  readonly paths: readonly RowPath[]
  /** Reads its rows. */
  readonly rows: Rows
}

/**
 * Makes a source that lets the paths of keepers find the rows of a query. When no path fits any more, the
 * filter is sent from where the path ended.
 *
 * @param source - sends the filter of a query, from any position in the rows
 * @param on - the paths to the rows of its table
 */
export function pathSource<Entity>(
  source: TableSource<Entity>,
  on: TablePaths,
): TableSource<Entity> {
  const { table, paths } = on
  // Cosmos DB indexes all properties, and does not sort rows.
  if (paths.length === 0 || source.isUnsorted) return source
  return {
    ...source,
    explain: (plan) => explained(plan, paths, table),
    async fetchPage(query, page, options) {
      const position = positionIn(page.continuationToken, digested(query, table))
      const isPlain = page.continuationToken !== undefined && position === undefined
      if (isPlain) return source.fetchPage(query, page, options)
      if (position?.token === undefined) {
        const found = await fetchByPath(on, query, position?.after, options)
        if (found !== undefined) return found
      }
      return source.fetchPage(query, page, options)
    },
  }
}

/**
 * Fetches one page of rows by the first path that fits. Each row is read by its key and compared with the whole condition, so
 * an entry that is stale or has no row never gives a wrong row.
 */
async function fetchByPath(
  { table, paths, rows }: TablePaths,
  query: CompiledQuery,
  after: string | undefined,
  options: CallOptions,
): Promise<QueryPage<RawEntity> | undefined> {
  const filter = parsedFilter(query.filter)
  if (filter === undefined) return undefined
  const { service, name } = table
  const { select, top: most = MOST_ENTRIES } = query
  const names = select && [...new Set([...select, ...propertiesIn(filter)])]
  const call = callOf(service, options, `A query of table ${name}`)
  const read = async ({ row: key }: FoundEntry, each: Call) => {
    const found = await rows.find(each, { table: name, key, select: names })
    return found && wantedRow(found, { filter, select })
  }
  for (const path of paths) {
    const found = await path.find({ filter, top: MOST_ENTRIES, after }, table, options)
    if (found === undefined) continue
    const { entries, isEnd } = found
    const { items, looked } = await rowsOf(entries, { call, read, most })
    const last = entries[looked - 1]
    if (last === undefined || (isEnd && looked === entries.length)) return { items }
    const position = { after: last.row.rowKey }
    return { items, continuationToken: printPosition(position, digested(query, table)) }
  }
  return undefined
}

/** A filter that the caller wrote by hand may use what only the service knows. */
function parsedFilter(filter: string | undefined): FilterNode | undefined {
  try {
    return filter === undefined ? undefined : parseFilter(filter)
  } catch (error) {
    if (isRowkeyError(error)) return undefined
    throw error
  }
}

function explained(plan: QueryPlan, paths: readonly RowPath[], table: KeptTable): QueryPlan {
  if (plan.queries !== undefined) {
    const queries = plan.queries.map((each) => explained(each, paths, table))
    const isIndexed = queries.every(({ index }) => index !== undefined)
    return { ...plan, queries, ...(isIndexed && queries.length > 0 && { plan: 'range' }) }
  }
  const filter = plan.pointReads === undefined ? parsedFilter(plan.filter) : undefined
  if (filter === undefined) return plan
  const found = paths.map((path) => path.explain({ filter, top: MOST_ENTRIES }, table))
  for (const { index, reasons } of found) {
    if (index !== undefined) return { ...plan, plan: 'range', index, reasons }
  }
  return { ...plan, reasons: [...plan.reasons, ...found.flatMap(({ reasons }) => reasons)] }
}

function digested(query: CompiledQuery, { name: table }: KeptTable): DigestedQuery {
  return { ...query, table }
}
