import type { HttpRequest } from './transport.ts'

/**
 * Says that a browser blocked a request because of CORS, which rule is missing, and how to add it.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param page - the origin of the page
 * @param mayHaveApplied - whether the browser may have sent the request, and it is a write
 */
export function corsAdvice(request: HttpRequest, page: string, mayHaveApplied: boolean): string {
  const { method, origin, path } = request
  const outcome = mayHaveApplied
    ? 'The outcome is unknown: it may have been applied.'
    : 'Nothing was sent.'
  return (
    `${method} ${origin}${path}: the browser blocked the request (CORS). ${outcome} No CORS rule of the ` +
    `account allows ${method} from ${page}. Add one on a server that has the account key: account.properties.set({ ` +
    `cors: [{ allowedOrigins: ['${page}'], allowedMethods: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'], allowedHeaders: ['*'], ` +
    "exposedHeaders: ['etag', 'x-ms-*'], maxAgeInSeconds: 3600 }] })."
  )
}
