import type { HttpRequest } from '../http/http-request.ts'

/**
 * Where a request goes, as one text.
 *
 * @param request - what an operation made; once authorized, it may hold a SAS and must not be shown
 */
export function urlOf({ origin, path, query }: HttpRequest): string {
  return query === '' ? origin + path : `${origin}${path}?${query}`
}
