import type { MetadataLevel } from '../call/metadata-level.ts'
import { preferenceOf } from '../call/preference.ts'
import type { ServiceCall } from '../call/service-call.ts'
import type { Answer } from './answer.ts'
import { printContentType } from './content-type.ts'

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
export function createdAnswer(call: ServiceCall, level: MetadataLevel, created: Created): Answer {
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
