import { type MetadataLevel, preferenceOf } from '../request/content-negotiation.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { printDocument } from '../xml/print-xml.ts'

/** What an operation answers; the headers that every answer has are added later. */
export interface ServiceResponse {
  /** The status code of HTTP. */
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty when there is none. */
  readonly body: string
}

/** The media type of a JSON answer at a metadata level. */
export function printContentType(level: MetadataLevel): string {
  return `application/json;odata=${level};streaming=true;charset=utf-8`
}

/** The answer to a create or an insert. */
export interface Created {
  /** The address of what was created, below the account. */
  readonly path: string
  /** Absent for a table, which has none. */
  readonly etag?: string
  /** The body for a client that did not decline one. */
  readonly body: (level: MetadataLevel) => string
}

/** 201 with what was created, or 204 without when the client prefers that. */
export function createdResponse(
  call: ServiceRequest,
  level: MetadataLevel,
  created: Created,
): ServiceResponse {
  const preference = preferenceOf(call)
  const location = `${call.base}/${created.path}`
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
 * What the operations with a `comp` answer.
 *
 * @param element - the document's one element, as XML
 */
export function xmlResponse(element: string): ServiceResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: printDocument(element),
  }
}
