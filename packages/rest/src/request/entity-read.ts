import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpRequest } from '../http/transport.ts'
import { getRequest } from './get-request.ts'
import { entityPath } from './path.ts'
import { selectText } from './select-text.ts'

/** The input of a read of one entity. */
export interface EntityRead {
  /** The table's name. */
  readonly table: string
  /** PartitionKey and RowKey. */
  readonly key: EntityKey
  /** The stored names of the properties to read, with the keys; all when absent or empty. */
  readonly select?: readonly string[] | undefined
}

/** The output of a read. */
export interface ReadResult {
  /** The entity as JSON. */
  readonly raw: RawEntity
  /** The ETag of the version that was read. */
  readonly etag?: string | undefined
  /** The HTTP status: 200. */
  readonly status?: number | undefined
}

/**
 * Makes the request that reads one entity.
 *
 * @param read - the entity and its projection
 * @param endpoint - the account
 * @throws `InputError` (`InvalidTableName`, `InvalidEntityKey` or `InvalidQueryOption`)
 */
export function toReadRequest({ table, key, select }: EntityRead, endpoint: Endpoint): HttpRequest {
  return getRequest(endpoint, entityPath(endpoint, table, key), selectText(select))
}
