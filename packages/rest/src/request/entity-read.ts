import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpRequest } from '../http/transport.ts'
import { queryText } from '../paging/query-text.ts'
import { entityPath } from './entity-path.ts'
import { READ_HEADERS } from './headers.ts'

/** Which entity to read, and how much of it. */
export interface EntityRead {
  /** The table's name. */
  readonly table: string
  /** PartitionKey and RowKey. */
  readonly key: EntityKey
  /** The stored names of the properties to read, keys included; all when absent or empty. */
  readonly select?: readonly string[] | undefined
}

/** An entity as it was read. */
export interface ReadResult {
  /** The entity's members. */
  readonly raw: RawEntity
  /** The ETag of what was read. */
  readonly etag?: string | undefined
}

/**
 * The request that reads one entity.
 *
 * @param read - which entity, and how much of it
 * @param endpoint - the account
 * @throws {@link InputError} (`InvalidTableName`), {@link InputError} (`InvalidQueryOption`) or an EntityKeyError
 */
export function toReadRequest({ table, key, select }: EntityRead, endpoint: Endpoint): HttpRequest {
  return {
    method: 'GET',
    origin: endpoint.origin,
    path: entityPath(endpoint, table, key),
    query: select === undefined ? '' : queryText({ select }, endpoint.flavour),
    headers: READ_HEADERS,
    body: undefined,
  }
}
