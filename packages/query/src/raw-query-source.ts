import type { DynamicEntity, EntityKey } from '@rowkey/odata'
import type { CompiledQuery } from './compile-query.ts'
import type { QueryOptions, QuerySource, RowRequest } from './query-source.ts'

/**
 * A source that fetches rows as they came over the wire, and says how to read them. It serves all
 * that a query can do: point reads, `.resolve`, and several queries at once in the order of keys. Rows
 * past a limit are never read.
 */
export interface RawQuerySource<Row, Options extends QueryOptions, Raw>
  extends QuerySource<Raw, Options> {
  /**
   * Fetches one row by its key.
   *
   * @param key - PartitionKey and RowKey
   * @param query - of which `select` counts
   * @param options - as for {@link QuerySource.fetchPage}
   * @returns `undefined` when there is none
   */
  findRow(key: EntityKey, query: CompiledQuery, options: Options): Promise<Raw | undefined>
  /**
   * Makes a row of what was fetched.
   *
   * @param raw - one item of a page
   * @param request - how to read it
   */
  readRow(raw: Raw, request: RowRequest): Row
  /**
   * The key of what was fetched.
   *
   * @param raw - one item of a page
   */
  keyOf(raw: Raw): EntityKey
  /**
   * What was fetched as an entity of typed properties.
   *
   * @param raw - one item of a page
   */
  entityOf(raw: Raw): DynamicEntity
}

/** Any source of these rows. */
export type AnyQuerySource<Row, Options extends QueryOptions = QueryOptions> =
  | QuerySource<Row, Options>
  | RawQuerySource<Row, Options, unknown>

/** Whether a source fetches what is yet to be read. */
export function isRawSource<Row, Options extends QueryOptions>(
  source: AnyQuerySource<Row, Options>,
): source is RawQuerySource<Row, Options, unknown> {
  return 'readRow' in source
}
