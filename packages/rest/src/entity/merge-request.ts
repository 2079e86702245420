import { checkEntity } from '../checks/check-entity.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpHeaders, HttpRequest } from '../http/http-request.ts'
import { BODY_HEADERS } from '../http/table-headers.ts'
import { entityPath } from './entity-path.ts'
import type { EntityWrite } from './entity-write.ts'

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
 * @throws {@link TableNameError}, {@link EntitySizeError}, {@link PropertyCountError} or an
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
