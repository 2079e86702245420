import { checkOptions, type HttpMethod, type HttpRequest } from '@rowkey/rest'
import { type HttpHandler, HttpResponse, http } from 'msw'
import { localInputError } from '../errors/codes.ts'
import type { LocalTableService } from '../local-table-service.ts'

/** Which addresses {@link tableHandlers} answers for. */
export interface TableHandlersOptions {
  /**
   * Origins at which the accounts stand in path style, as `http://127.0.0.1:10002/devstoreaccount1`.
   *
   * @defaultValue `http://127.0.0.1:10002` and `http://localhost:10002`, as emulators have it, and
   * `http://localhost`, as the service's own connection string has it
   */
  readonly origins?: readonly string[] | undefined
}

const ORIGINS = ['http://127.0.0.1:10002', 'http://localhost:10002', 'http://localhost']
const ORIGIN = /^https?:\/\/[^/?#\s]+$/

/** `text()` of a request would leave out a byte order mark, of which its Content-MD5 was made too. */
const TEXT = new TextDecoder('utf-8', { ignoreBOM: true })

/** Hosts of one account each: `contoso.table.core.windows.net`, and the same with `-secondary`. */
const HOSTS = '\\.table\\.(?:core\\.(?:windows\\.net|chinacloudapi\\.cn|usgovcloudapi\\.net))'

/**
 * Request handlers for msw, the Mock Service Worker, that let any HTTP client of a test talk to an
 * embedded service without a port: at the hosts of Azure, `https://{account}.table.core.windows.net`,
 * and at those of emulators. Signatures are checked as ever, so the client needs the account's key.
 *
 * They answer what msw intercepts: `fetch`, `node:http`, and what is made of these, such as
 * `@azure/data-tables` and Rowkey's `fetchTransport`. Rowkey's own `undiciTransport`, and anything
 * else that uses undici's dispatchers, is not intercepted by msw: give such a client
 * {@link LocalTableService.transport} instead.
 *
 * @param local - the service
 * @param options - further addresses
 * @throws InputError for options that cannot be
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
  checkOptions(options, ['origins'], 'tableHandlers')
  const origins = (options.origins ?? ORIGINS).map(checkOrigin)
  const accounts = local.accounts.join('|')
  const patterns = [
    new RegExp(`^https?://(?:${accounts})(?:-secondary)?${HOSTS}(?::\\d+)?/`),
    ...origins.map(
      (origin) => new RegExp(`^${escapeText(origin)}/(?:${accounts})(?:-secondary)?(?:/|$)`),
    ),
  ]
  return patterns.map((pattern) => http.all(pattern, ({ request }) => answer(local, request)))
}

/** What breaks a connection to the service is, to the client, a network that failed. */
async function answer(local: LocalTableService, request: Request): Promise<Response> {
  try {
    const { signal } = request
    const { status, headers, body } = await local.transport(await toHttpRequest(request), {
      signal,
    })
    // As over HTTP: without it, a client of node:http waits for the end of some answers for ever.
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
    // The service refuses what is no verb of its own.
    method: request.method as HttpMethod,
    origin,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    body: body === '' ? undefined : body,
  }
}

function checkOrigin(origin: string): string {
  if (typeof origin === 'string' && ORIGIN.test(origin)) return origin
  throw localInputError({
    code: 'InvalidOptionValue',
    message: `An origin of tableHandlers must be a scheme, a host and a port, such as 'http://localhost:10002'.`,
  })
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
