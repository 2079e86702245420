import type { HttpHeaders } from '../http/transport.ts'

/** The service version that Rowkey uses: the last one that changed anything for tables. */
export const SERVICE_VERSION = '2019-02-02'

/**
 * The headers of every request. Minimal metadata includes the type of each value and the ETag of each
 * entity; with less, types would be lost.
 */
export const READ_HEADERS: HttpHeaders = Object.freeze({
  accept: 'application/json;odata=minimalmetadata',
  dataserviceversion: '3.0',
  maxdataserviceversion: '3.0',
  'x-ms-version': SERVICE_VERSION,
})

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
