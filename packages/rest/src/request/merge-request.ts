import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpHeaders, HttpRequest } from '../http/transport.ts'
import { BODY_HEADERS } from './body-headers.ts'
import { checkEntity } from './check-entity.ts'
import type { EntityWrite } from './entity-write.ts'
import { entityPath } from './path.ts'

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
