import {
  comparison,
  type DigestedQuery,
  type FilterNode,
  isRowkeyError,
  literalOf,
  parseFilter,
  printFilter,
  type RawEntity,
} from '@rowkey/odata'
import type { CompiledQuery, QueryPage, QueryPlan } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import type { TableSource } from './keeping.ts'
import { invalidPlace, placeParts, printPlace } from './place-token.ts'
import type { KeptTable, PathPage, PathQuery, RowPath } from './row-path.ts'

/** Where a run that began on a path continues. */
interface PathPosition {
  /** The RowKey of the last row that was looked at. */
  readonly after: string
  /** The token of the filter that is sent in place of the path; absent while the path is used. */
  readonly token?: string | undefined
}

/**
 * Makes a source that lets the paths of keepers find the rows of a query. When no path fits any more, the
 * filter is sent from where the path ended.
 *
 * @param source - sends the filter of a query
 * @param table - the table of the source
 * @param paths - the paths of the keepers of its model
 */
export function pathSource<Entity>(
  source: TableSource<Entity>,
  table: KeptTable,
  paths: readonly RowPath[],
): TableSource<Entity> {
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
        const found = await fetchByPath(paths, pathQuery(query, position), table, options)
        if (found !== undefined) return printed(found, query, table)
      }
      if (position === undefined) return source.fetchPage(query, page, options)
      return fetchRest(source, query, table, { position, projected: page.projected, options })
    },
  }
}

async function fetchByPath(
  paths: readonly RowPath[],
  query: PathQuery | undefined,
  table: KeptTable,
  options: CallOptions,
): Promise<PathPage | undefined> {
  if (query === undefined) return undefined
  for (const path of paths) {
    const page = await path.fetchPage(query, table, options)
    if (page !== undefined) return page
  }
  return undefined
}

/** Sends the filter for the rows that a path has not looked at. */
async function fetchRest<Entity>(
  source: TableSource<Entity>,
  query: CompiledQuery,
  table: KeptTable,
  run: {
    readonly position: PathPosition
    readonly projected: boolean
    readonly options: CallOptions
  },
): Promise<QueryPage<RawEntity>> {
  const { after, token } = run.position
  const rest = printFilter(comparison('RowKey', 'gt', literalOf(after, 'String')))
  const filter = query.filter === undefined ? rest : `(${query.filter}) and ${rest}`
  const start = token === undefined ? {} : { continuationToken: token }
  const request = { projected: run.projected, ...start }
  const { items, continuationToken } = await source.fetchPage(
    { ...query, filter },
    request,
    run.options,
  )
  if (continuationToken === undefined) return { items }
  const next = { after, token: continuationToken }
  return { items, continuationToken: printPosition(next, digested(query, table)) }
}

function pathQuery(
  { filter, select, top }: CompiledQuery,
  position: PathPosition | undefined,
): PathQuery | undefined {
  const parsed = filter === undefined ? undefined : parsedFilter(filter)
  return parsed && { filter: parsed, select, top, after: position?.after }
}

/** A filter that the caller wrote by hand may use what only the service knows. */
function parsedFilter(filter: string): FilterNode | undefined {
  try {
    return parseFilter(filter)
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
  const query = plan.pointReads === undefined ? pathQuery(plan, undefined) : undefined
  if (query === undefined) return plan
  const found = paths.map((path) => path.explain(query, table))
  for (const { index, reasons } of found) {
    if (index !== undefined) return { ...plan, plan: 'range', index, reasons }
  }
  return { ...plan, reasons: [...plan.reasons, ...found.flatMap(({ reasons }) => reasons)] }
}

function printed(
  { items, after }: PathPage,
  query: CompiledQuery,
  table: KeptTable,
): QueryPage<RawEntity> {
  if (after === undefined) return { items }
  return { items, continuationToken: printPosition({ after }, digested(query, table)) }
}

function digested(query: CompiledQuery, { name: table }: KeptTable): DigestedQuery {
  return { ...query, table }
}

/** What the token of a path begins with; no token of the service does. */
const MARK = '~k'

function printPosition({ after, token }: PathPosition, query: DigestedQuery): string {
  return printPlace(MARK, token === undefined ? [after] : [after, token], query)
}

/**
 * Parses the token of a path.
 *
 * @returns `undefined` for any other token
 * @throws InputError with the code `InvalidContinuationToken` for the token of another query
 */
function positionIn(text: string | undefined, query: DigestedQuery): PathPosition | undefined {
  if (!text?.startsWith(MARK)) return undefined
  const [after, token] = placeParts(MARK, text, query)
  if (typeof after !== 'string') throw invalidPlace()
  return { after, token: typeof token === 'string' ? token : undefined }
}
