import type { HttpRequest } from '../http/http-request.ts'
import { canonicalizedResource } from './canonicalized-resource.ts'

/**
 * The two Shared Key schemes of the Table service. Both prove knowledge of the account key;
 * `SharedKeyLite` signs the date and the resource only.
 */
export type SharedKeyScheme = 'SharedKey' | 'SharedKeyLite'

/**
 * The text that a Shared Key signature covers. The Table service signs no `x-ms-` headers.
 *
 * @param scheme - which of the two texts
 * @param request - the request as it is sent
 * @param account - the account's name, without `-secondary`
 * @param date - the value of `x-ms-date`, or of `Date` when there is no `x-ms-date`
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
export function stringToSign(
  scheme: SharedKeyScheme,
  request: HttpRequest,
  account: string,
  date: string,
): string {
  const resource = canonicalizedResource(account, request.path, request.query)
  if (scheme === 'SharedKeyLite') return `${date}\n${resource}`
  const md5 = request.headers['content-md5'] ?? ''
  const type = request.headers['content-type'] ?? ''
  return `${request.method}\n${md5}\n${type}\n${date}\n${resource}`
}
