import { TransportError } from '../errors/transport-error.ts'
import { type HttpRequest, isRead } from './transport.ts'

/**
 * Makes the error of a request that a browser blocked because of CORS. It says which rule is missing, and how to add it.
 *
 * @param request - the request that failed
 * @param page - the origin of the page
 * @param isKnown - whether the page could read a response of this server before: the browser may remember a
 * permission, and then sends a request without asking
 */
export function corsErrorOf(request: HttpRequest, page: string, isKnown: boolean): TransportError {
  const { method, origin, path } = request
  const mayHaveApplied = isKnown && !isRead(request)
  const outcome = mayHaveApplied
    ? 'The outcome is unknown: it may have been applied.'
    : 'Nothing was sent.'
  return new TransportError({
    code: 'ConnectionFailed',
    message:
      `${method} ${origin}${path}: the browser blocked the request (CORS). ${outcome} No CORS rule of the ` +
      `account allows ${method} from ${page}. Add one on a server that has the account key: account.properties.set({ ` +
      `cors: [{ allowedOrigins: ['${page}'], allowedMethods: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'], allowedHeaders: ['*'], ` +
      "exposedHeaders: ['etag', 'x-ms-*'], maxAgeInSeconds: 3600 }] }).",
    failure: 'cors',
    mayHaveApplied,
  })
}
