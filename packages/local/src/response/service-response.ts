import { type MetadataLevel, preferenceOf } from '../request/content-negotiation.ts'
import type { ServiceRequest } from '../request/service-request.ts'

const BEYOND_ASCII = /[\u0080-\uffff]/
const EACH_BEYOND_ASCII = /[\u0080-\uffff]/g

/** Writes every character beyond ASCII of a JSON text as `\uXXXX`, as the service does. */
export function escapeJson(json: string): string {
  return BEYOND_ASCII.test(json) ? json.replace(EACH_BEYOND_ASCII, escapeUnit) : json
}

/** Prints a string as an ASCII JSON string literal. */
export function printJsonString(text: string): string {
  return escapeJson(JSON.stringify(text))
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * A body: its text, or the pieces of a long one. One long text would be made in memory that is new each time,
 * and the system needs longer to provide this than to copy the text.
 */
export type Body = string | readonly string[]

/** Returns how many UTF-16 units a body has. */
export function lengthOf(body: Body): number {
  if (typeof body === 'string') return body.length
  return body.reduce((sum, piece) => sum + piece.length, 0)
}

/** Returns a body as one text. */
export function textOf(body: Body): string {
  return typeof body === 'string' ? body : body.join('')
}

/** The response of an operation. {@link completeResponse} adds the common headers. */
export interface ServiceResponse {
  /** The HTTP status. */
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty when absent. */
  readonly body: Body
  /** Whether the response has no `Cache-Control`: one to a filter that cannot be parsed. */
  readonly lacksCacheControl?: boolean
}

/** Prints the media type of a JSON response at a metadata level. */
export function printContentType(level: MetadataLevel): string {
  return `application/json;odata=${level};streaming=true;charset=utf-8`
}

/** The result of a create or an insert. */
interface Created {
  /** The address of the new resource below the account. */
  readonly path: string
  /** Absent for a table. */
  readonly etag?: string
  /** Prints the body, unless the client prefers none. */
  readonly body: (level: MetadataLevel) => string
}

/** Responds 201 with the new resource, or 204 without it when the client prefers that. */
export function createdResponse(
  request: ServiceRequest,
  level: MetadataLevel,
  created: Created,
): ServiceResponse {
  const preference = preferenceOf(request)
  const location = `${request.base}/${created.path}`
  const headers: Record<string, string> = {}
  if (preference !== undefined) headers['preference-applied'] = preference
  if (preference !== 'return-no-content') headers['content-type'] = printContentType(level)
  headers.location = location
  if (preference === 'return-no-content') headers.dataserviceid = location
  if (created.etag !== undefined) headers.etag = created.etag
  return preference === 'return-no-content'
    ? { status: 204, headers, body: '' }
    : { status: 201, headers, body: created.body(level) }
}

/**
 * Responds with XML, as the operations with a `comp` do.
 *
 * @param document - the document
 */
export function xmlResponse(document: string): ServiceResponse {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: document }
}
