import { doubtOf, TransportError } from '../errors/transport-error.ts'
import { type HttpRequest, isRead } from './transport.ts'

/**
 * Finds out whether a browser blocked a request because of CORS. `fetch` does not say so: it fails as it does
 * without a network.
 *
 * A browser sends a request of Rowkey only after the service has allowed it (a preflight request), because
 * the request has headers of its own. A blocked request was therefore not sent, unless an earlier permission
 * is still remembered.
 */
export class CorsCheck {
  readonly #passed = new Set<string>()

  /** Records that the page could read a response, so that the browser may remember a permission. */
  passed({ origin }: HttpRequest): void {
    this.#passed.add(origin)
  }

  /**
   * Makes the error of a request that the browser blocked.
   *
   * @param request - the request that failed
   * @param fetch - sends a request without headers, whose response cannot be read
   * @param signal - ends this request
   * @returns `undefined` outside browsers, for the page's own origin, and when the server does not respond
   */
  async errorOf(
    request: HttpRequest,
    fetch: typeof globalThis.fetch,
    signal: AbortSignal,
  ): Promise<TransportError | undefined> {
    const page = pageOrigin()
    if (page === undefined || page === request.origin || signal.aborted) return undefined
    try {
      // Needs no permission, and has no SAS: it only shows whether a server is there.
      await fetch(`${request.origin}/`, { mode: 'no-cors', credentials: 'omit', signal })
    } catch {
      return undefined
    }
    const mayHaveApplied = this.#passed.has(request.origin) && !isRead(request)
    const outcome = doubtOf(mayHaveApplied) || ' Nothing was sent.'
    return corsError(
      request,
      `blocked the request, because no CORS rule of the account allows ${request.method} from ${page}.${outcome}`,
      mayHaveApplied,
    )
  }
}

/** The paths of queries: their responses may continue. */
const QUERY_PATH = /\(\)$|\/Tables$/i

/**
 * Rejects the response to a query when a browser hides its headers. One of them tells that more rows follow, so the query
 * would end there without a word.
 *
 * @param request - the request
 * @param response - its response, which the page can read
 * @throws TransportError (`ConnectionFailed`)
 */
export function checkHeadersShown(request: HttpRequest, { type, ok, headers }: Response): void {
  const isQuery = request.method === 'GET' && QUERY_PATH.test(request.path)
  // The service sends it with each response.
  if (type !== 'cors' || !ok || !isQuery || headers.has('x-ms-request-id')) return
  throw corsError(
    request,
    `hides whether more rows follow, because no CORS rule of the account exposes 'x-ms-*' to ${pageOrigin()}.`,
    false,
  )
}

/** The origin of the page or of its worker; `undefined` outside browsers. */
function pageOrigin(): string | undefined {
  const { location, window, WorkerGlobalScope } = globalThis as BrowserGlobals
  if (window === undefined && WorkerGlobalScope === undefined) return undefined
  return typeof location?.origin === 'string' ? location.origin : undefined
}

/** The globals of a page and of a worker that tell where they run. */
interface BrowserGlobals {
  readonly location?: { readonly origin?: unknown }
  readonly window?: unknown
  readonly WorkerGlobalScope?: unknown
}

/**
 * Makes the error of a missing CORS rule, with the call that adds it.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param fault - what the browser did
 * @param mayHaveApplied - whether the browser may have sent the request, and it is a write
 */
function corsError(
  { method, origin, path }: HttpRequest,
  fault: string,
  mayHaveApplied: boolean,
): TransportError {
  return new TransportError({
    code: 'ConnectionFailed',
    message:
      `${method} ${origin}${path}: the browser ${fault} Add one on a server that has the account key: account.properties.set({ ` +
      `cors: [{ allowedOrigins: ['${pageOrigin()}'], allowedMethods: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'], allowedHeaders: ['*'], ` +
      "exposedHeaders: ['etag', 'x-ms-*'], maxAgeInSeconds: 3600 }] }).",
    failure: 'cors',
    mayHaveApplied,
  })
}
