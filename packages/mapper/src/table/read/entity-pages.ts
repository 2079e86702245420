import type { RawEntity } from '@rowkey/odata'
import type { CompiledQuery, PageRequest, QueryPage } from '@rowkey/query'
import {
  type CallOptions,
  type EntitiesPage,
  type EntitiesQuery,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
  type TableService,
} from '@rowkey/rest'
import type { RowLifetime } from '../../model/row-lifetime.ts'

/** The table whose pages are read. */
interface PagedTable {
  readonly service: TableService
  /** The name of the table. */
  readonly table: string
  /** Decides which rows are live; absent when all are. */
  readonly lifetime?: RowLifetime | undefined
}

/**
 * Fetches one page of the rows of a table.
 *
 * @param from - the table
 * @param query - the query
 * @param page - where the page begins
 * @param options - the options of the request
 * @throws InputError (`InvalidContinuationToken`) for a text that is not a token, or one of another query
 */
export async function fetchEntities(
  from: PagedTable,
  query: CompiledQuery,
  { continuationToken }: PageRequest,
  options: CallOptions,
): Promise<QueryPage<RawEntity>> {
  const { service, table } = from
  const continuation =
    continuationToken === undefined ? undefined : parseContinuationToken(continuationToken)
  const select = selectOf(query, options.exactWrites ?? service.defaults.exactWrites)
  const page = await performQuery(from, { table, ...query, select, continuation }, options)
  if (page.continuation === undefined) return { items: page.entities }
  const next = printContinuationToken(page.continuation)
  return { items: page.entities, continuationToken: next }
}

/** Returns what a page reads of each row. The markers of exact writes are recognized by their RowKey. */
function selectOf({ select }: CompiledQuery, isExact: boolean): readonly string[] | undefined {
  if (!isExact || !select?.length || select.includes('RowKey')) return select
  return [...select, 'RowKey']
}

function performQuery(
  { service, lifetime }: PagedTable,
  query: EntitiesQuery,
  options: CallOptions,
): Promise<EntitiesPage> {
  if (lifetime !== undefined) return lifetime.reads.page(service, query, options)
  return perform(service, queryEntities, query, options)
}
