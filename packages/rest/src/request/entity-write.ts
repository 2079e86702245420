import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import type { HttpHeaders, HttpRequest } from '../http/transport.ts'
import { checkEntity } from './check-entity.ts'
import { BODY_HEADERS } from './headers.ts'
import { entityPath } from './path.ts'

/** The input of each of the six writes of one entity. */
export interface EntityWrite {
  /** The table's name. */
  readonly table: string
  /** PartitionKey and RowKey. */
  readonly key: EntityKey
  /** The entity as JSON text, for example from an EntityCodec; empty for a delete. */
  readonly body: string
  /**
   * The condition of update, merge and delete: the ETag that the entity was read with, or `'*'` to
   * write whatever is stored. The other three writes ignore it.
   */
  readonly etag?: string | undefined
  /**
   * Whether an insert returns the entity as it was stored.
   *
   * @defaultValue `false`
   */
  readonly echo?: boolean | undefined
  /**
   * How an idempotency key knows the write: the name of the operation that the caller asked for, when another one is sent. An empty text
   * leaves the write out, because it follows from others of its transaction, and may be another one when they are repeated.
   *
   * @defaultValue the name of the operation
   */
  readonly knownAs?: string | undefined
}

/** The output of a write. */
export interface WriteResult {
  /** The ETag of the stored entity; absent after a delete. */
  readonly etag?: string | undefined
  /**
   * The HTTP status of this write, also inside a transaction; absent when the response was lost and a read
   * settled the write.
   */
  readonly status?: number | undefined
  /**
   * `false` when the response was lost and the ETag comes from reading the entity afterwards: it has
   * the content that was written, but may be a later version.
   */
  readonly etagIsOwn?: false | undefined
  /** The entity as it was stored; only after an insert with `echo`. */
  readonly raw?: RawEntity | undefined
}

const HEADER_TEXT = /^[\x20-\x7e]+$/

/**
 * Returns the ETag of a conditional write, as the value of `If-Match`.
 *
 * @param operation - the operation's name, for the message
 * @param write - the write
 * @throws `InputError` (`MissingETag` or `InvalidETag`)
 */
export function ifMatch(operation: string, write: EntityWrite): string {
  const { etag } = write
  if (etag === undefined || etag === '') {
    throw restInputError({
      code: 'MissingETag',
      message: `${operation} in table ${write.table} needs an ETag. Pass the ETag that the entity was read with, or '*' to write whatever is stored.`,
    })
  }
  if (typeof etag === 'string' && HEADER_TEXT.test(etag)) return etag
  throw restInputError({
    code: 'InvalidETag',
    message: `The ETag for ${operation} in table ${write.table} is invalid: it must be the text that the service returned, or '*'.`,
  })
}

const TUNNEL_HEADERS: HttpHeaders = Object.freeze({ ...BODY_HEADERS, 'x-http-method': 'MERGE' })

/**
 * Makes the request of a merge, with or without a condition.
 *
 * Table storage accepts MERGE, the verb of its first versions, and PATCH, which means the same. Rowkey
 * sends PATCH: HTTP clients do not know that a MERGE may have a body, and undici closes the connection
 * after each. Cosmos DB accepts neither, but a POST with MERGE in a header.
 *
 * @param write - the write
 * @param endpoint - the account
 * @param condition - the ETag for `If-Match`; `undefined` for an unconditional merge
 * @throws `InputError` (`InvalidTableName`, `InvalidEntityKey`, `EntityTooLarge` or
 * `TooManyProperties`)
 */
export function mergeRequest(
  write: EntityWrite,
  endpoint: Endpoint,
  condition?: string,
): HttpRequest {
  checkEntity(write, endpoint)
  const tunnelled = endpoint.flavour === 'cosmos'
  const headers = tunnelled ? TUNNEL_HEADERS : BODY_HEADERS
  return {
    method: tunnelled ? 'POST' : 'PATCH',
    origin: endpoint.origin,
    path: entityPath(endpoint, write.table, write.key),
    query: '',
    headers: condition === undefined ? headers : { 'if-match': condition, ...headers },
    body: write.body,
  }
}
