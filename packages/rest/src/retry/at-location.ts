import type { Endpoint } from '../endpoint.ts'
import type { HttpRequest } from '../http/http-request.ts'
import type { LocationName } from '../location-name.ts'

/**
 * The same request to one of the account's two locations.
 *
 * @param request - what an operation made, for the primary
 * @param endpoint - the account
 * @param location - where it goes
 */
export function atLocation(
  request: HttpRequest,
  { basePath, secondary }: Endpoint,
  location: LocationName,
): HttpRequest {
  if (location === 'primary' || secondary === undefined) return request
  const path = secondary.basePath + request.path.slice(basePath.length)
  return { ...request, origin: secondary.origin, path }
}
