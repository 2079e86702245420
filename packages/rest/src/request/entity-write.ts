import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import type { HttpHeaders, HttpRequest } from '../http/transport.ts'
import { checkEntity } from './check-entity.ts'
import { entityPath } from './entity-path.ts'
import { BODY_HEADERS } from './headers.ts'

/** What each of the six writes of one entity needs. */
export interface EntityWrite {
  /** The table's name. */
  readonly table: string
  /** PartitionKey and RowKey. */
  readonly key: EntityKey
  /** The entity as JSON text, such as an EntityCodec writes; empty for a delete. */
  readonly body: string
  /**
   * What update, merge and delete go by: the ETag the entity was read with, or `'*'` to write
   * whatever is stored. The other three are unconditional and do not look at it.
   */
  readonly etag?: string | undefined
  /**
   * Whether an insert shall answer with the entity as it was stored.
   *
   * @defaultValue `false`
   */
  readonly echo?: boolean | undefined
}

/** What came of a write. */
export interface WriteResult {
  /** The ETag of what is stored now; absent after a delete. */
  readonly etag?: string | undefined
  /**
   * `false` when the answer was lost and the ETag comes from reading the entity afterwards: it has the
   * content that was written, but may be a later version.
   */
  readonly etagIsOwn?: false | undefined
  /** The entity as it was stored; only after an insert that asked for it. */
  readonly raw?: RawEntity | undefined
}

const HEADER_TEXT = /^[\x20-\x7e]+$/

/**
 * The ETag that a conditional write goes by, as the value of `If-Match`.
 *
 * @param operation - the operation's name, for the message
 * @param write - what is to be written
 * @throws {@link InputError} (`MissingETag`) when there is none
 * @throws {@link InputError} (`InvalidETag`) when no header can carry it
 */
export function ifMatch(operation: string, write: EntityWrite): string {
  const { etag } = write
  if (etag === undefined || etag === '') {
    throw restInputError({
      code: 'MissingETag',
      message: `${operation} in table ${write.table} needs an ETag. Pass the ETag the entity was read with, or '*' to write whatever is stored now.`,
    })
  }
  if (typeof etag === 'string' && HEADER_TEXT.test(etag)) return etag
  throw restInputError({
    code: 'InvalidETag',
    message: `The ETag for ${operation} in table ${write.table} is not one: it must be the text that the service gave, or '*'.`,
  })
}

const TUNNEL_HEADERS: HttpHeaders = Object.freeze({ ...BODY_HEADERS, 'x-http-method': 'MERGE' })

/**
 * A merge, with or without a condition.
 *
 * Table storage takes the verb MERGE of its first versions, and PATCH, which means the same. It is PATCH
 * here: HTTP clients do not know that a MERGE may have a body, and undici gives up the connection after
 * each one. Cosmos DB knows neither, and takes a POST that says MERGE in a header.
 *
 * @param write - what is to be written
 * @param endpoint - the account
 * @param condition - the ETag to go by; nothing when the merge goes by none
 * @throws {@link InputError} (`InvalidTableName`), {@link InputError} (`EntityTooLarge`), {@link InputError} (`TooManyProperties`) or an
 * EntityKeyError
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
