import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cliInputError, type Studio, type StudioSettings } from '@rowkey/cli'
import { hasOwnHost, isFromPage, SAFE_HEADERS } from './check-request.ts'
import { failureOf } from './failure-of.ts'
import { readPageFile } from './page-files.ts'
import { readApi } from './read-api.ts'
import type { RowTypes } from './row-types.ts'
import { Session } from './session.ts'
import { shownRow } from './shown-row.ts'
import { type RowPlace, type StudioApi, StudioFile, type StudioInput } from './studio-input.ts'
import type { Failure, ShownRow } from './wire.ts'
import { writeApi } from './write-api.ts'

/** What a studio shows, how it is reached, and what it is made of. */
export interface ServerSettings extends Omit<StudioSettings, 'models' | 'signal'> {
  /** The types of the models that were loaded. */
  readonly types: RowTypes
  /** The folder with the files of the page. */
  readonly folder: string
  /** Makes a text that cannot be guessed. */
  readonly random: () => string
}

/** Only this machine can reach it. */
const HOST = '127.0.0.1'

/** The most bytes of a body: a row of 1 MiB, all escaped. */
const LARGEST_BODY = 8 * 1024 * 1024

/** The most bytes of a body with a token, which everyone may send. */
const LARGEST_ENTRY = 1024

/**
 * Starts a studio.
 *
 * @param settings - what it shows
 * @throws InputError with the code `PortTaken` when it cannot listen
 */
export async function listen(settings: ServerSettings): Promise<Studio> {
  const closing = new AbortController()
  let respond: Respond = async () => {}
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  try {
    server.listen(settings.port, HOST)
    await once(server, 'listening')
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    throw cliInputError(
      'PortTaken',
      `The studio cannot listen on port ${settings.port} (${code}). Give another --port; 0 selects a free one.`,
      cause,
    )
  }
  // A server on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  const own = new URL(`http://${HOST}:${port}/`)
  const url = settings.publicUrl ?? own
  const session = new Session({ port, url }, settings.random)
  const origins = [own, new URL(`http://localhost:${port}/`), url]
  respond = responder(settings, session, { url, origins, closing: closing.signal })
  return {
    url: `${url.href}#token=${session.token}`,
    port,
    async close() {
      closing.abort()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** How a studio is reached. */
interface Reached {
  /** The address that it prints. */
  readonly url: URL
  /** All addresses that a browser may name. */
  readonly origins: readonly URL[]
  /** Aborts when the studio closes. */
  readonly closing: AbortSignal
}

/** Makes the function that responds to all requests. */
function responder(
  settings: ServerSettings,
  session: Session,
  { url: base, origins, closing }: Reached,
): Respond {
  const { account, facts, types, folder } = settings
  const api: StudioApi = {
    'GET /api/studio': async () => ({ ...facts, types: types.names }),
    ...readApi(account, types),
    ...(facts.isWritable ? writeApi(account, types) : {}),
  }
  return async (request, response) => {
    for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value)
    const { method = '', url = '/', headers } = request
    const path = pathBelow(base.pathname, url)
    if (!hasOwnHost(headers, origins)) {
      return fail(response, 403, 'WrongHost', `The studio is at ${base.origin}.`)
    }
    if (!path.startsWith('/api/')) return sendPage(response, { method, path, base }, folder)
    if (!isFromPage(headers, origins)) {
      return fail(response, 403, 'WrongOrigin', 'Only the page of the studio may ask for data.')
    }
    const isEntry = method === 'POST' && path === '/api/session'
    // A body is kept only for the browser that was let in.
    if (!isEntry && !session.isOpen(headers.cookie)) {
      return fail(
        response,
        401,
        'NoSession',
        'This browser was not let in. Open the address that rowkey studio printed in the terminal.',
      )
    }
    const values = await readInput(request, isEntry ? LARGEST_ENTRY : LARGEST_BODY)
    if (values === undefined) {
      return fail(response, 413, 'TooLarge', 'The body is larger than any row.')
    }
    const input = { values, signal: waiting(response, closing) }
    if (isEntry) return open(response, session, input)
    const route = `${method} ${path}`
    const run = Object.hasOwn(api, route) ? api[route] : undefined
    if (run === undefined) {
      const isWrite = method === 'POST' && !facts.isWritable
      return fail(
        response,
        isWrite ? 403 : 404,
        isWrite ? 'ReadOnly' : 'UnknownRequest',
        isWrite
          ? 'The studio was started without --write, so it changes nothing.'
          : `The studio does not know ${route}.`,
      )
    }
    try {
      const result = await run(input)
      if (result instanceof StudioFile) return sendFile(response, result)
      sendJson(response, result === undefined ? 204 : 200, result)
    } catch (error) {
      const { status, failure } = await failureOf(error, input, (row) =>
        storedRow(settings, row, input.signal),
      )
      sendJson(response, status, failure)
    }
  }
}

/** Returns the path of a request below the path of the studio, which a proxy may have removed. */
function pathBelow(base: string, url: string): string {
  const [path = '/'] = url.split('?', 1)
  return path.startsWith(base) ? `/${path.slice(base.length)}` : path
}

/** A request for a file of the page, and the address that the page is at. */
interface PageRequest {
  readonly method: string
  readonly path: string
  readonly base: URL
}

async function sendPage(
  response: ServerResponse,
  { method, path, base }: PageRequest,
  folder: string,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    return fail(response, 405, 'UnknownRequest', `The page does not take ${method}.`)
  }
  const { type, body } = await readPageFile(path, folder, base.pathname)
  response.writeHead(200, { 'content-type': type, 'content-length': body.length })
  response.end(method === 'HEAD' ? undefined : body)
}

/** Reads the row that is stored in place of the one that was shown. */
async function storedRow(
  { account, types }: ServerSettings,
  place: RowPlace,
  signal: AbortSignal,
): Promise<ShownRow | null> {
  const found = await account.table(place.table).find(place, { signal })
  if (found === undefined) return null
  const kind = types.kindOf(found, place.table)
  return shownRow(found, { limit: Number.POSITIVE_INFINITY, isWhole: true, kind })
}

/** Exchanges the token of the printed address for a cookie. */
function open(response: ServerResponse, session: Session, { values }: StudioInput): void {
  const cookie = session.exchange(values.token)
  if (cookie === undefined) {
    const message =
      'The address was used before, or is of another run. Start rowkey studio again for a new one.'
    fail(response, 403, 'UsedToken', message)
  } else {
    response.setHeader('set-cookie', cookie)
    sendJson(response, 204, undefined)
  }
}

/** Aborts when the page no longer waits for a response, or the studio closes. */
function waiting(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, closing])
}

/** Reads the parameters of the address, or the members of a body of JSON; `undefined` when the body has more bytes than `most`. */
async function readInput(
  request: IncomingMessage,
  most: number,
): Promise<StudioInput['values'] | undefined> {
  const { method, url = '/', headers } = request
  if (method !== 'POST') {
    return Object.fromEntries(new URL(url, `http://${HOST}`).searchParams)
  }
  // A page of another origin cannot send this type without asking first.
  if (headers['content-type'] !== 'application/json') return {}
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  try {
    return Object(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  } catch {
    return {}
  }
}

function sendFile(response: ServerResponse, { name, type, body }: StudioFile): void {
  response.writeHead(200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
  })
  response.end(body)
}

/** Rejects a request. The connection ends, because its body may not have been read. */
function fail(response: ServerResponse, status: number, code: string, message: string): void {
  response.setHeader('connection', 'close')
  sendJson(response, status, { error: { code, message } } satisfies Failure)
}

function sendJson(response: ServerResponse, status: number, value: object | undefined): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(value === undefined ? undefined : JSON.stringify(value))
}
