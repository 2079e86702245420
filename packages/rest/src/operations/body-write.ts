import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpHeaders, HttpRequest } from '../http/transport.ts'
import { entityReconciliations } from '../reconcile/reconcile-entity.ts'
import { checkEntity } from '../request/check-entity.ts'
import {
  type EntityWrite,
  type EntityWriteName,
  ifMatch,
  type WriteResult,
} from '../request/entity-write.ts'
import { BODY_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'
import { entityPath } from '../request/path.ts'

/** PUT replaces the entity, and MERGE changes the properties that are sent. */
type BodyVerb = 'MERGE' | 'PUT'

/**
 * Makes the operation that writes an entity if its ETag matches.
 *
 * @param name - the operation's name
 * @param verb - what becomes of the stored entity
 */
export function conditionalWrite(
  name: EntityWriteName,
  verb: BodyVerb,
): Operation<EntityWrite, WriteResult> {
  return {
    name,
    statuses: [204],
    toRequest: (write, endpoint) => bodyRequest(verb, write, endpoint, ifMatch(name, write)),
    fromResponse: ({ headers, status }) => ({ etag: headers.etag, status }),
    reconcile: entityReconciliations[name],
  }
}

/**
 * Makes the operation that writes an entity whether it is stored or not.
 *
 * @param name - the operation's name
 * @param verb - what becomes of an entity that is stored
 */
export function unconditionalWrite(
  name: EntityWriteName,
  verb: BodyVerb,
): Operation<EntityWrite, WriteResult> {
  return {
    ...conditionalWrite(name, verb),
    needsEntity: false,
    toRequest: (write, endpoint) => bodyRequest(verb, write, endpoint),
  }
}

const TUNNEL_HEADERS: HttpHeaders = Object.freeze({ ...BODY_HEADERS, 'x-http-method': 'MERGE' })

/**
 * Table storage accepts MERGE, the verb of its first versions, and PATCH, which means the same. Rowkey
 * sends PATCH: HTTP clients do not know that a MERGE may have a body, and undici closes the connection
 * after each. Cosmos DB accepts neither, but a POST with MERGE in a header.
 */
function bodyRequest(
  verb: BodyVerb,
  write: EntityWrite,
  endpoint: Endpoint,
  condition?: string,
): HttpRequest {
  checkEntity(write, endpoint)
  const isTunnelled = verb === 'MERGE' && endpoint.flavour === 'cosmos'
  const headers = isTunnelled ? TUNNEL_HEADERS : BODY_HEADERS
  return {
    method: verb === 'PUT' ? 'PUT' : isTunnelled ? 'POST' : 'PATCH',
    origin: endpoint.origin,
    path: entityPath(endpoint, write.table, write.key),
    query: '',
    headers: condition === undefined ? headers : { 'if-match': condition, ...headers },
    body: write.body,
  }
}
