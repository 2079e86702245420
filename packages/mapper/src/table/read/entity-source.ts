import { dynamicEntityCodec, type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import type {
  CompiledQuery,
  PageRequest,
  QueryPage,
  RawQuerySource,
  TokenSeal,
} from '@rowkey/query'
import {
  type CallOptions,
  callOptions,
  type EntitiesPage,
  type EntitiesQuery,
  parseContinuationToken,
  perform,
  printContinuationToken,
  queryEntities,
  type TableService,
} from '@rowkey/rest'
import type { RowLifetime } from '../../model/row-lifetime.ts'
import { levelOf, observedCall } from '../../options/account-level.ts'
import { type RowReader, readsOf } from './row-reader.ts'

/** The parts of an entity source. */
interface EntitySourceParts<Entity extends object> {
  readonly service: TableService
  /** The name of the table. */
  readonly table: string
  readonly rows: RowReader<Entity>
  readonly tokenSeal?: TokenSeal | undefined
  /** Decides which rows are live; absent when all are. */
  readonly lifetime?: RowLifetime | undefined
}

/** Reads the rows of one table for a query, page by page or by their keys. */
export function entitySource<Entity extends object>({
  service,
  table,
  rows,
  tokenSeal,
  lifetime,
}: EntitySourceParts<Entity>): RawQuerySource<Entity, CallOptions, RawEntity> {
  const from = { service, table, lifetime }
  return {
    table,
    tokenSeal,
    isUnsorted: service.endpoint.flavour === 'cosmos',
    level: levelOf(service),
    observed: (options, onThrottled) => observedCall(service, options, onThrottled),

    beginRun(options) {
      callOptions.check(options, `A query of table ${table}`)
      return service.pendingCalls.begin(service.withDeadline(options))
    },

    endRun(options) {
      service.pendingCalls.end(options)
    },

    fetchPage: (query, page, options) => fetchPage(from, query, page, options),
    findRow: (key, query, options) => findRow(from, key, query, options),
    readRow: (raw, { projected }) => rows.read(raw, undefined, projected),
    keyOf: keyOfRaw,
    entityOf: (raw) => dynamicEntityCodec.read(rows.reveal(raw)),
  }
}

/** The table whose rows are read. */
interface QueriedTable {
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
async function fetchPage(
  from: QueriedTable,
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
  { service, lifetime }: QueriedTable,
  query: EntitiesQuery,
  options: CallOptions,
): Promise<EntitiesPage> {
  if (lifetime !== undefined) return lifetime.reads.page(service, query, options)
  return perform(service, queryEntities, query, options)
}

/**
 * Finds one row of a table by its key.
 *
 * @param from - the table
 * @param key - PartitionKey and RowKey
 * @param query - only its `select` counts
 * @param options - the options of the request
 * @returns the row with its ETag, as in a page of a query; `undefined` when it does not exist
 */
async function findRow(
  { service, table, lifetime }: QueriedTable,
  key: EntityKey,
  { select }: CompiledQuery,
  options: CallOptions,
): Promise<RawEntity | undefined> {
  const found = await readsOf(lifetime).find(service, { table, key, select }, options)
  if (found?.etag === undefined || 'odata.etag' in found.raw) return found?.raw
  return { ...found.raw, 'odata.etag': found.etag }
}
