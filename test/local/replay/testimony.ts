import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY, type Flavour } from '@rowkey/rest'

/** A behaviour of a real service that people witnessed in public. */
export interface Testimony {
  readonly id: string
  readonly service: Flavour
  readonly behaviour: string
  /** Where it was witnessed. */
  readonly source: string
  /** How it was witnessed. */
  readonly evidence: 'trace' | 'sdk-test' | 'maintainer'
  /** From 1, for thin evidence, to 3. */
  readonly confidence: number
  /** Why no request can show it; absent for all others. */
  readonly unplayable?: string
  /** `none` when the table of the rows does not exist. */
  readonly table?: 'none'
  /** Rows that exist before; `Items` in a path stands for their table. */
  readonly given?: readonly object[]
  /** Requests before, whose responses do not matter. */
  readonly setup?: readonly Told[]
  /** Requests in their order, each with what is known about the response. */
  readonly cases?: readonly { readonly request: Told; readonly response: Expected }[]
  /** A query, and how many rows each of its pages has. */
  readonly follow?: { readonly path: string; readonly pages: readonly number[] }
}

/** A request, or the changes of one transaction. */
interface Told {
  readonly method: string
  readonly path: string | { readonly $long: number }
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly batch?: readonly (Told | { readonly $times: number; readonly op: Told })[]
}

/** What a testimony says about a response. */
export interface Expected {
  readonly status?: number
  readonly code?: string
  /** The beginning of the text. */
  readonly message?: string
  /** The RowKeys of the rows. */
  readonly rows?: readonly string[]
  /** The keys of the rows. */
  readonly keys?: readonly (readonly [string, string])[]
  /** Members of the body, at any depth. */
  readonly body?: object
  readonly bodyMatches?: string
  readonly absent?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly headerMatches?: Readonly<Record<string, string>>
  readonly absentHeaders?: readonly string[]
  readonly noODataError?: boolean
  readonly parts?: readonly Pick<Expected, 'status' | 'code' | 'message'>[]
}

/** A response as it arrived. */
interface Heard {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Reads all testimonies. */
export function readTestimonies(): readonly Testimony[] {
  const file = new URL('../../vectors/testimony.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

const BASE = `/${DEVELOPMENT_ACCOUNT}`

/** Sends the requests of testimonies to one table of a service that listens on this machine. */
export class Witness {
  readonly #port: number
  readonly #table: string

  constructor(port: number, table: string) {
    this.#port = port
    this.#table = table
  }

  /** Creates the table and its rows. */
  async prepare({ table, given = [], setup = [] }: Testimony): Promise<void> {
    const create = { method: 'POST', path: '/Tables', body: { TableName: this.#table } }
    if (table !== 'none') await this.ask(create)
    for (const body of given) await this.ask({ method: 'POST', path: '/Items', body })
    for (const request of setup) await this.ask(request)
  }

  /** Sends a request, and returns what a testimony may say about its response. */
  async ask(told: Told): Promise<Expected & { readonly text: string }> {
    const heard = await (told.batch === undefined ? this.#send(told) : this.#sendBatch(told.batch))
    const json = parsed(heard.text)
    const error = errorIn(json)
    const rows: Record<string, string>[] | undefined = Array.isArray(json?.value)
      ? json.value
      : undefined
    return {
      ...heard,
      ...error,
      rows: rows?.map(({ RowKey = '' }) => RowKey),
      keys: rows?.map(({ PartitionKey = '', RowKey = '' }) => [PartitionKey, RowKey] as const),
      body: json,
      noODataError: error.code === undefined,
      parts: heard.text
        .split('HTTP/1.1 ')
        .slice(1)
        .map((part) => ({
          status: Number.parseInt(part, 10),
          ...errorIn(parsed(/\{.*\}/s.exec(part)?.[0] ?? '')),
        })),
    } as Expected & { readonly text: string }
  }

  /** Follows the continuations of a query, and returns how many rows its pages have. */
  async pages(path: string): Promise<readonly number[]> {
    const sizes: number[] = []
    for (let more = ''; sizes.length < 20; ) {
      const { headers, text } = await this.#send({ method: 'GET', path: path + more })
      sizes.push(parsed(text)?.value.length)
      const partition = headers['x-ms-continuation-nextpartitionkey']
      const row = headers['x-ms-continuation-nextrowkey']
      if (partition === undefined) break
      more = `&NextPartitionKey=${encodeURIComponent(`${partition}`)}`
      if (row !== undefined) more += `&NextRowKey=${encodeURIComponent(`${row}`)}`
    }
    return sizes
  }

  #sendBatch(batch: NonNullable<Told['batch']>): Promise<Heard> {
    const changes = batch.flatMap((one) => ('$times' in one ? repeated(one) : [one]))
    const parts = changes.map(({ method, path, headers = {}, body }) => {
      const lines = Object.entries(headers).map(([name, text]) => `${name}: ${text}\r\n`)
      const content =
        body === undefined ? '\r\n' : `Content-Type: application/json\r\n\r\n${textOf(body)}\r\n`
      return `--change\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${method} http://127.0.0.1${this.#pathOf(path)} HTTP/1.1\r\nAccept: application/json;odata=minimalmetadata\r\n${lines.join('')}${content}`
    })
    return this.#send({
      method: 'POST',
      path: '/$batch',
      headers: { 'Content-Type': 'multipart/mixed; boundary=batch' },
      body: `--batch\r\nContent-Type: multipart/mixed; boundary=change\r\n\r\n${parts.join('')}--change--\r\n--batch--\r\n`,
    })
  }

  #pathOf(path: Told['path']): string {
    if (typeof path === 'string') {
      return BASE + path.replace(/^\/Items(?=[(?]|$)/, `/${this.#table}`)
    }
    const key = 't'.repeat(path.$long)
    return `${BASE}/${this.#table}(PartitionKey='${key}',RowKey='${key}')`
  }

  #send({ method, path, headers = {}, body }: Told): Promise<Heard> {
    const target = this.#pathOf(path)
    const text = body === undefined ? undefined : textOf(body)
    const date = new Date().toUTCString()
    const component = /[?&](comp=[^&]*)/.exec(target)?.[1]
    const resource = target.replace(/\?.*/s, '') + (component === undefined ? '' : `?${component}`)
    const signature = createHmac('sha256', Buffer.from(DEVELOPMENT_KEY, 'base64'))
      .update(`${date}\n${BASE}${resource}`)
      .digest('base64')
    const hasBody = text !== undefined || !/^(?:GET|DELETE)$/.test(method)
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        host: '127.0.0.1',
        port: this.#port,
        method,
        path: target,
        headers: {
          'x-ms-date': date,
          'x-ms-version': '2019-02-02',
          Authorization: `SharedKeyLite ${DEVELOPMENT_ACCOUNT}:${signature}`,
          Accept: 'application/json;odata=minimalmetadata',
          ...(text !== undefined && { 'Content-Type': 'application/json' }),
          ...(hasBody && { 'Content-Length': Buffer.byteLength(text ?? '') }),
          ...headers,
        },
      })
      request.on('error', reject)
      request.on('response', async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        const { statusCode = 0, headers: found } = response
        resolve({ status: statusCode, headers: found, text: Buffer.concat(chunks).toString() })
      })
      request.end(text)
    })
  }
}

function repeated({ $times, op }: { readonly $times: number; readonly op: Told }): Told[] {
  return Array.from({ length: $times }, (_, at) => {
    const body = JSON.parse(textOf(op.body).replace('#', String(at)))
    return { ...op, body }
  })
}

/** Prints a body. `{ "$repeat": ["x", 3] }` stands for a text. */
function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  return JSON.stringify(body, (_, value) => {
    const [text = '', times = 0] = value?.$repeat ?? []
    return value?.$repeat === undefined ? value : text.repeat(times)
  })
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape.
function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorIn(json: ReturnType<typeof parsed>): Pick<Expected, 'code' | 'message'> {
  const error = json?.['odata.error']
  return error === undefined ? {} : { code: error.code, message: error.message?.value }
}
