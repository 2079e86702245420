import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  type LocalTableService,
  type LocalTableServiceOptions,
  localTableService,
} from '@rowkey/local'
import {
  DEVELOPMENT_KEY,
  type HttpMethod,
  type HttpResponse,
  type Transport,
  undiciTransport,
} from '@rowkey/rest'

type Headers = Readonly<Record<string, string | number>>

/** A request as it was recorded. */
export interface RecordedRequest {
  readonly method: string
  /** Only for requests in host style. */
  readonly host?: string
  /** Includes the query. */
  readonly path: string
  readonly headers: Headers
  readonly body: string | null
}

/** A recorded request and its response. */
export interface RecordedExchange {
  readonly name: string
  readonly cassette?: string
  readonly service?: string
  readonly request: RecordedRequest
  readonly response: {
    readonly status: number
    readonly headers: Headers
    readonly body: string
  }
}

/** Reads the exchanges of one recording, in order. */
export function readRecording(
  name: 'azure-service' | 'azurite' | 'cosmos',
): readonly RecordedExchange[] {
  const file = new URL(`../../vectors/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).exchanges
}

function sign(text: string): string {
  return createHmac('sha256', Buffer.from(DEVELOPMENT_KEY, 'base64')).update(text).digest('base64')
}

/** Signs a query with the algorithm of the version in the query. */
function signatureOfSas(query: string, account: string): string {
  const fields = new URLSearchParams(query)
  const version = fields.get('sv') ?? ''
  const table = fields.get('tn')?.toLowerCase()
  const valuesOf = (names: string) => names.split(' ').map((name) => fields.get(name) ?? '')
  if (table === undefined) {
    const scope = version < '2020-12-06' ? [] : valuesOf('ses')
    return encodeURIComponent(
      sign([account, ...valuesOf('sp ss srt st se sip spr sv'), ...scope, ''].join('\n')),
    )
  }
  const resource = `${version < '2015-02-21' ? '' : '/table'}/${account}/${table}`
  const source = version < '2015-04-05' ? [] : valuesOf('sip spr')
  const rest = [...valuesOf('si'), ...source, ...valuesOf('sv spk srk epk erk')]
  return encodeURIComponent(sign([...valuesOf('sp st se'), resource, ...rest].join('\n')))
}

/** Headers that belong to one connection, or to a length that the recorder may have cut. */
const OF_CONNECTION = /^(?:connection|content-length|keep-alive|transfer-encoding)$/

/** Returns headers as text, with lower-case names. */
export function headersOf(headers: Headers): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`])
  return Object.fromEntries(pairs.filter(([name = '']) => !OF_CONNECTION.test(name)))
}

/**
 * Sends recorded requests to a service, and signs each again where it contains `<signature>` or
 * `<sig>`.
 */
export class Replay {
  readonly #account: string
  readonly #local: LocalTableService
  #http: { readonly origin: string; readonly transport: Transport } | undefined
  /** The service's clock. */
  now = Date.UTC(2026, 10, 20, 12)

  constructor(account: string, options: LocalTableServiceOptions = {}) {
    const accounts = [{ name: account, key: DEVELOPMENT_KEY }]
    this.#account = account
    this.#local = localTableService({ ...options, accounts, now: () => this.now })
  }

  /** Injects faults into the following requests. */
  get faults(): LocalTableService['faults'] {
    return this.#local.faults
  }

  /** Sends the following requests over HTTP. */
  async listen(): Promise<void> {
    const { port } = await this.#local.listen({ port: 0 })
    this.#http = { origin: `http://127.0.0.1:${port}`, transport: undiciTransport() }
  }

  async close(): Promise<void> {
    await this.#http?.transport.close?.()
    await this.#local.close()
  }

  /** Sends a recorded request and returns the response. */
  send(request: RecordedRequest): Promise<HttpResponse> {
    const { method, host = '127.0.0.1:10002', body } = request
    const [path = '', query = ''] = request.path.split(/\?(.*)/s)
    const headers = headersOf(request.headers)
    const { authorization } = headers
    const send = this.#http?.transport ?? this.#local.transport
    return send({
      method: method as HttpMethod,
      origin: this.#http?.origin ?? `${host.includes(':') ? 'http' : 'https'}://${host}`,
      path,
      query: query.replace('<sig>', () => signatureOfSas(query, this.#account)),
      headers: {
        ...headers,
        ...(this.#http !== undefined && { host }),
        ...(authorization?.endsWith('<signature>') && {
          authorization: this.#sign(method, path, query, headers),
        }),
      },
      body: body ?? undefined,
    })
  }

  #sign(method: string, path: string, query: string, headers: Record<string, string>): string {
    const { authorization = '', date = headers['x-ms-date'] ?? '' } = headers
    const component = query.split('&').find((pair) => pair.startsWith('comp='))
    const resource = `/${this.#account}${path}${component === undefined ? '' : `?${component}`}`
    const lines = authorization.startsWith('SharedKey ')
      ? [method, headers['content-md5'] ?? '', headers['content-type'] ?? '', date, resource]
      : [date, resource]
    return authorization.replace('<signature>', sign(lines.join('\n')))
  }
}
