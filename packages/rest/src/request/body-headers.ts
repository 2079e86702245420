import type { HttpHeaders } from '../http/transport.ts'
import { READ_HEADERS } from './headers.ts'

/** The headers of a request with a JSON body. */
export const BODY_HEADERS: HttpHeaders = Object.freeze({
  ...READ_HEADERS,
  'content-type': 'application/json',
})

/** The headers of an insert that does not need the stored entity. */
export const QUIET_HEADERS: HttpHeaders = Object.freeze({
  ...BODY_HEADERS,
  prefer: 'return-no-content',
})

/** The headers of an insert that requests the stored entity. */
export const ECHO_HEADERS: HttpHeaders = Object.freeze({
  ...BODY_HEADERS,
  prefer: 'return-content',
})
