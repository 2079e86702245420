import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Endpoint } from '../endpoint.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import { READ_HEADERS } from '../http/table-headers.ts'
import { queryText } from '../paging/query-text.ts'
import { checkKeys } from './check-keys.ts'
import { entityPath } from './entity-path.ts'
import { readRawEntity } from './read-raw-entity.ts'

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
 * @throws {@link TableNameError}, {@link QueryOptionError} or an EntityKeyError
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

/**
 * The entity in an answer.
 *
 * @param operation - the operation's name, for the message
 * @param response - an answer of 200
 * @param read - which entity was asked for, and how much of it
 * @throws {@link DecodeError} when the body is not an entity, or is another one
 */
export function toReadResult(
  operation: string,
  response: HttpResponse,
  { key, select }: EntityRead,
): ReadResult {
  const raw = readRawEntity(operation, response, false)
  checkKeys(operation, raw, { key, select, mayHaveApplied: false })
  return { raw, etag: response.headers.etag }
}
