import { type KeptTable, positionIn, printPosition, type RowSource } from '@rowkey/mapper'
import {
  type FilterNode,
  isRowkeyError,
  parseFilter,
  propertiesIn,
  type RawEntity,
} from '@rowkey/odata'
import type { CompiledQuery, QueryPage, QueryPlan } from '@rowkey/query'
import { type Call, type CallOptions, callOf } from '@rowkey/rest'
import {
  type FoundEntries,
  type FoundEntry,
  MOST_ENTRIES,
  rowsOf,
  wantedRow,
} from './entry-rows.ts'

/** The rows that a query of a model's table wants. */
export interface PathQuery {
  /** The condition that the rows meet, by stored names. */
  readonly filter: FilterNode
  /** How many entries at most are found. */
  readonly top: number
  /** The RowKey of the last row that was looked at; absent for the first page. */
  readonly after?: string | undefined
}

/** How the rows of a query would be found. */
export interface PathPlan {
  /** The name of the index that is used; absent when the query is sent as it is. */
  readonly index?: string | undefined
  /** Why, in sentences. */
  readonly reasons: readonly string[]
}

/**
 * Finds the rows of some queries at a lower cost than the filter, such as by an index. All entries of a path
 * lead to rows of one partition, in the order of RowKey, so a query gets the same rows in the same order.
 */
export interface RowPath {
  /**
   * Explains how the rows of a query would be found. It sends nothing.
   *
   * @param query - the query
   * @param table - the table
   */
  explain(query: PathQuery, table: KeptTable): PathPlan
  /**
   * Finds entries that lead to all rows that meet the condition, and perhaps to others.
   *
   * @param query - the query, and where the page begins
   * @param table - the table
   * @param options - the options of the run
   * @returns `undefined` when the path does not fit the query; then the filter is sent
   */
  find(query: PathQuery, table: KeptTable, options: CallOptions): Promise<FoundEntries | undefined>
}

/**
 * Makes a source that lets a path find the rows of a query. When the path does not fit any more, the filter is sent from where it ended.
 *
 * @param own - sends the filter of a query, from any position in the rows
 * @param table - the table of the source
 * @param path - the path to its rows
 */
export function pathSource<Entity>(
  own: RowSource<Entity>,
  table: KeptTable,
  path: RowPath,
): RowSource<Entity> {
  // Cosmos DB indexes all properties, and does not sort rows.
  if (own.isUnsorted) return own
  const found = { own, table, path }
  return {
    ...own,
    explain(plan) {
      const explained = planByPath(plan, path, table)
      return own.explain?.(explained) ?? explained
    },
    async fetchPage(query, page, options) {
      const { continuationToken } = page
      const position = positionIn(continuationToken, { ...query, table: table.name })
      const isByFilter =
        position === undefined ? continuationToken !== undefined : position.token !== undefined
      const rows = isByFilter
        ? undefined
        : await fetchByPath(found, query, position?.after, options)
      return rows ?? own.fetchPage(query, page, options)
    },
  }
}

/** A path to the rows of a table. */
interface TablePath {
  /** Reads its rows. */
  readonly own: RowSource<unknown>
  readonly table: KeptTable
  readonly path: RowPath
}

/**
 * Fetches one page of rows by a path, if it fits. Each row is read by its key and compared with the whole condition, so
 * an entry that is stale or has no row never gives a wrong row.
 */
async function fetchByPath(
  { own, table, path }: TablePath,
  query: CompiledQuery,
  after: string | undefined,
  options: CallOptions,
): Promise<QueryPage<RawEntity> | undefined> {
  const filter = parsedFilter(query.filter)
  if (filter === undefined) return undefined
  const found = await path.find({ filter, top: MOST_ENTRIES, after }, table, options)
  if (found === undefined) return undefined
  const { service, name } = table
  const { select, top: most = MOST_ENTRIES } = query
  const names = select && [...new Set([...select, ...propertiesIn(filter)])]
  const wanted: CompiledQuery = names === undefined ? {} : { select: names }
  const read = async ({ row }: FoundEntry, each: Call) => {
    const raw = await own.findRow(row, wanted, each.options)
    return raw && wantedRow(raw, { filter, select })
  }
  const { entries, isEnd } = found
  const call = callOf(service, options, `A query of table ${name}`)
  const { items, looked } = await rowsOf(entries, { call, read, most })
  const last = entries[looked - 1]
  if (last === undefined || (isEnd && looked === entries.length)) return { items }
  const position = { after: last.row.rowKey }
  return { items, continuationToken: printPosition(position, { ...query, table: name }) }
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

function planByPath(plan: QueryPlan, path: RowPath, table: KeptTable): QueryPlan {
  if (plan.queries !== undefined) {
    const queries = plan.queries.map((each) => planByPath(each, path, table))
    const isIndexed = queries.every(({ index }) => index !== undefined)
    return { ...plan, queries, ...(isIndexed && queries.length > 0 && { plan: 'range' }) }
  }
  const isByFilter = plan.pointReads === undefined && plan.index === undefined
  const filter = isByFilter ? parsedFilter(plan.filter) : undefined
  if (filter === undefined) return plan
  const { index, reasons } = path.explain({ filter, top: MOST_ENTRIES }, table)
  if (index === undefined) return { ...plan, reasons: [...plan.reasons, ...reasons] }
  return { ...plan, plan: 'range', index, reasons }
}
