import type { Endpoint } from '../endpoint/endpoint.ts'
import type { HttpHeaders, HttpRequest } from '../http/transport.ts'
import { READ_HEADERS } from './headers.ts'

/**
 * Makes the request that reads something.
 *
 * @param endpoint - the account
 * @param path - the path of what is read
 * @param query - the query string
 * @param headers - the headers; those of JSON when absent
 */
export function getRequest(
  { origin }: Endpoint,
  path: string,
  query = '',
  headers: HttpHeaders = READ_HEADERS,
): HttpRequest {
  return { method: 'GET', origin, path, query, headers, body: undefined }
}
