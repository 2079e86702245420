import { declareOptions, rule } from '@rowkey/odata'
import type { HttpMethod, HttpRequest } from '@rowkey/rest'
import { type HttpHandler, HttpResponse, http } from 'msw'
import type { LocalTableService } from '../local-table-service.ts'

/** Options of {@link tableHandlers}. */
export interface TableHandlersOptions {
  /**
   * Origins with accounts in path style, as in `http://127.0.0.1:10002/devstoreaccount1`.
   *
   * @defaultValue `http://127.0.0.1:10002` and `http://localhost:10002`, as emulators use, and
   * `http://localhost`, as the service's own connection string has it
   */
  readonly origins?: readonly string[] | undefined
}

const ORIGINS = ['http://127.0.0.1:10002', 'http://localhost:10002', 'http://localhost']
const ORIGIN = /^https?:\/\/[^/?#\s]+$/

const handlerOptions = declareOptions<TableHandlersOptions>({
  origins: rule(
    "a list of schemes with host and port, such as ['http://localhost:10002']",
    (origins) =>
      Array.isArray(origins) &&
      origins.every((origin) => typeof origin === 'string' && ORIGIN.test(origin)),
  ),
})

/** `text()` of a request drops a byte order mark, which its Content-MD5 covers. */
const TEXT = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The hosts of single accounts: `contoso.table.core.windows.net`, and the same with `-secondary`.
 */
const HOSTS = '\\.table\\.(?:core\\.(?:windows\\.net|chinacloudapi\\.cn|usgovcloudapi\\.net))'

/**
 * Makes request handlers for msw, the Mock Service Worker. With them, any HTTP client in a test
 * talks to an embedded service without a port, at the hosts of Azure and of emulators. Signatures
 * are checked, so the client needs the account's key.
 *
 * The handlers respond to what msw intercepts: `fetch`, `node:http`, and clients on top of these, such as
 * `@azure/data-tables` and Rowkey's `fetchTransport`. On Node, Rowkey uses undici's dispatchers after its
 * first requests, and msw does not intercept these. Pass `LocalTableService.transport` to these clients
 * instead.
 *
 * @param local - the service
 * @param options - more addresses
 * @throws InputError for an unknown option or an invalid value
 *
 * @example
 * ```ts
 * const local = localTableService({ accounts: [{ name: 'contoso', key }] })
 * const server = setupServer(...tableHandlers(local))
 * server.listen()
 * ```
 */
export function tableHandlers(
  local: LocalTableService,
  options: TableHandlersOptions = {},
): HttpHandler[] {
  handlerOptions.check(options, 'tableHandlers')
  const { origins = ORIGINS } = options
  const accounts = local.accounts.join('|')
  const patterns = [
    new RegExp(`^https?://(?:${accounts})(?:-secondary)?${HOSTS}(?::\\d+)?/`),
    ...origins.map(
      (origin) => new RegExp(`^${escapeText(origin)}/(?:${accounts})(?:-secondary)?(?:/|$)`),
    ),
  ]
  return patterns.map((pattern) => http.all(pattern, ({ request }) => answer(local, request)))
}

/** A broken connection is a network error for the client. */
async function answer(local: LocalTableService, request: Request): Promise<Response> {
  try {
    const { signal } = request
    const { status, headers, body } = await local.transport(await toHttpRequest(request), {
      signal,
    })
    // As over HTTP. Without it, a client of node:http waits for the end of some responses forever.
    const length = String(new TextEncoder().encode(body).length)
    return new HttpResponse(body === '' ? null : body, {
      status,
      headers: { ...headers, 'content-length': length },
    })
  } catch {
    return HttpResponse.error()
  }
}

async function toHttpRequest(request: Request): Promise<HttpRequest> {
  const { origin, pathname, search } = new URL(request.url)
  const body = TEXT.decode(await request.arrayBuffer())
  return {
    // The service rejects other verbs.
    method: request.method as HttpMethod,
    origin,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    body: body === '' ? undefined : body,
  }
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
