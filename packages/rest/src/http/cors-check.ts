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
    return new TransportError({
      code: 'ConnectionFailed',
      message: corsAdvice(request, page, mayHaveApplied),
      failure: 'cors',
      mayHaveApplied,
    })
  }
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
 * Says that a browser blocked a request because of CORS, which rule is missing, and how to add it.
 *
 * @param request - the request; its query may contain a SAS and is not shown
 * @param page - the origin of the page
 * @param mayHaveApplied - whether the browser may have sent the request, and it is a write
 */
function corsAdvice(request: HttpRequest, page: string, mayHaveApplied: boolean): string {
  const { method, origin, path } = request
  return (
    `${method} ${origin}${path}: the browser blocked the request, because no CORS rule of the account allows ${method} from ` +
    `${page}.${doubtOf(mayHaveApplied) || ' Nothing was sent.'} Add one on a server that has the account key: account.properties.set({ ` +
    `cors: [{ allowedOrigins: ['${page}'], allowedMethods: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'], allowedHeaders: ['*'], ` +
    "exposedHeaders: ['etag', 'x-ms-*'], maxAgeInSeconds: 3600 }] })."
  )
}
