import type { Flavour, HttpHeaders } from '@rowkey/rest'
import { checkKeyInUrl } from '../keys/check-key.ts'
import { md5 } from '../platform/crypto.ts'
import { Rejection } from '../rejection/rejection.ts'
import { operationName } from './operation-name.ts'
import { parseQueryParameters, type QueryParameters } from './query-parameters.ts'
import { routeResource, type ServiceRequest } from './service-request.ts'

/** What all parts of a batch have in common. */
export type RequestPlace = Pick<
  ServiceRequest,
  'requestId' | 'flavour' | 'account' | 'client' | 'grant' | 'isSecondary' | 'origin' | 'basePath'
>

/** The text of a request, or of a part of a batch. */
export interface RequestText {
  /** The verb as it was sent; a tunnelled one is in the headers. */
  readonly method: string
  /** The path below the account, percent-encoded; begins with `/`. */
  readonly resourcePath: string
  /** Percent-encoded, without its `?`. */
  readonly query: string
  /** By names in lower case. */
  readonly headers: HttpHeaders
  /** Empty when absent. */
  readonly body: string
}

/**
 * Reads a request whose account is known, and checks what all operations have in common.
 *
 * @throws Rejection
 */
export function readRequest(place: RequestPlace, text: RequestText): ServiceRequest {
  const resource = routeResource(text.resourcePath)
  if (resource.kind === 'entity') checkKeyInUrl(resource.key, place.flavour)
  const query = parseQueryParameters(text.query)
  checkTimeout(query)
  const method = effectiveMethod(text.method, text.headers, place.flavour)
  return {
    requestId: place.requestId,
    flavour: place.flavour,
    account: place.account,
    client: place.client,
    grant: place.grant,
    isSecondary: place.isSecondary,
    origin: place.origin,
    basePath: place.basePath,
    base: place.origin + place.basePath,
    method,
    operation: operationName({ method, headers: text.headers }, resource.kind, query.get('comp')),
    resource,
    query,
    headers: text.headers,
    body: text.body,
  }
}

const TUNNELLED: ReadonlySet<string> = new Set(['DELETE', 'MERGE', 'PATCH', 'PUT'])

/**
 * Returns the verb that counts: `X-HTTP-Method` of a POST, or else the verb of the request.
 *
 * @throws Rejection XMethodNotUsingPost, XMethodIncorrectCount, or XMethodIncorrectValue, and on Cosmos
 * DB InvalidInput for PATCH
 */
export function effectiveMethod(method: string, headers: HttpHeaders, flavour?: Flavour): string {
  if (method === 'PATCH' && flavour === 'cosmos') throw new Rejection('InvalidInput')
  const tunnelled = headers['x-http-method']
  if (tunnelled === undefined) return method
  if (method !== 'POST') throw new Rejection('XMethodNotUsingPost')
  if (tunnelled.includes(',')) throw new Rejection('XMethodIncorrectCount')
  const verb = tunnelled.trim().toUpperCase()
  if (!TUNNELLED.has(verb)) throw new Rejection('XMethodIncorrectValue')
  return verb
}

/** 16 bytes in base64. */
const MD5 = /^[A-Za-z0-9+/]{22}==$/

/**
 * Rejects a body that does not match its `Content-MD5`.
 *
 * @throws Rejection InvalidMd5, or Md5Mismatch
 */
export function checkContentMd5(headers: HttpHeaders, body: string): void {
  const given = headers['content-md5']
  if (!given) return
  if (!MD5.test(given)) throw new Rejection('InvalidMd5')
  if (md5(body) !== given) throw new Rejection('Md5Mismatch')
}

/**
 * Rejects a body that is not declared as JSON. A browser sends a body without a content type, or
 * with one of a few others, to any origin without a preflight. For JSON it needs one.
 *
 * @throws Rejection MediaTypeNotSupported, or AtomFormatNotSupported for XML
 */
export function checkContentType(request: ServiceRequest): void {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  const type = mediaType.trim().toLowerCase()
  if (type === 'application/json' || request.body === '') return
  throw new Rejection(type.endsWith('xml') ? 'AtomFormatNotSupported' : 'MediaTypeNotSupported')
}

/**
 * Rejects an invalid `timeout`. It is in seconds; more than 30 counts as 30.
 *
 * @throws Rejection InvalidQueryParameterValue
 */
export function checkTimeout(query: QueryParameters): void {
  const timeout = query.get('timeout')
  if (timeout === undefined || /^\d{1,9}$/.test(timeout)) return
  throw new Rejection('InvalidQueryParameterValue', {
    text: `The timeout of '${timeout}' is not a whole number of seconds.`,
  })
}

/**
 * Rejects a write to the secondary, which is read-only.
 *
 * @throws Rejection InsufficientAccountPermissions
 */
export function checkWritable(request: ServiceRequest): void {
  if (request.isSecondary && request.method !== 'GET') {
    throw new Rejection('InsufficientAccountPermissions')
  }
}

/**
 * Adds the body to a request that was read without it.
 *
 * @throws Rejection RequestBodyTooLarge, InvalidMd5, or Md5Mismatch
 */
export function withBody(request: ServiceRequest, body: string): ServiceRequest {
  checkBodySize(body, request.flavour)
  checkContentMd5(request.headers, body)
  return body === request.body ? request : { ...request, body }
}

/** The verbs that a request to the service may have. */
export const VERBS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'MERGE',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
])

/** The largest request body in bytes: 4 MiB. */
export const MAX_BODY_SIZE = 4_194_304

const MOST_BYTES_PER_UNIT = 3

/** The largest request body of Cosmos DB in bytes: 2 MiB. */
const MAX_COSMOS_BODY_SIZE = 2_097_152

/**
 * Rejects a body that is too large.
 *
 * @throws Rejection RequestBodyTooLarge
 */
export function checkBodySize(body: string, flavour?: Flavour): void {
  const most = flavour === 'cosmos' ? MAX_COSMOS_BODY_SIZE : MAX_BODY_SIZE
  if (body.length * MOST_BYTES_PER_UNIT <= most) return
  if (new TextEncoder().encode(body).length > most) throw new Rejection('RequestBodyTooLarge')
}
