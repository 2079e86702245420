import type { HttpHeaders } from '../http/transport.ts'

/** The version of the service that Rowkey speaks: the last one that changed anything for tables. */
export const SERVICE_VERSION = '2019-02-02'

/**
 * What every request says. Minimal metadata brings the type of each value and each entity's ETag;
 * with less, types would be lost.
 */
export const READ_HEADERS: HttpHeaders = Object.freeze({
  accept: 'application/json;odata=minimalmetadata',
  dataserviceversion: '3.0',
  maxdataserviceversion: '3.0',
  'x-ms-version': SERVICE_VERSION,
})

/** What every request with a JSON body says. */
export const BODY_HEADERS: HttpHeaders = Object.freeze({
  ...READ_HEADERS,
  'content-type': 'application/json',
})

/** What an insert says that wants no entity back. */
export const QUIET_HEADERS: HttpHeaders = Object.freeze({
  ...BODY_HEADERS,
  prefer: 'return-no-content',
})

/** What an insert says that wants the stored entity back. */
export const ECHO_HEADERS: HttpHeaders = Object.freeze({
  ...BODY_HEADERS,
  prefer: 'return-content',
})

/** What a request says whose answer is XML. */
export const XML_READ_HEADERS: HttpHeaders = Object.freeze({
  accept: 'application/xml',
  'x-ms-version': SERVICE_VERSION,
})

/** What a request says whose body is XML. */
export const XML_BODY_HEADERS: HttpHeaders = Object.freeze({
  ...XML_READ_HEADERS,
  'content-type': 'application/xml',
})
