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
