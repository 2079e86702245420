import { createHmac } from 'node:crypto'
import {
  type LocalTableService,
  type LocalTableServiceOptions,
  localTableService,
} from '@rowkey/local'
import type { HttpMethod, HttpResponse } from '@rowkey/rest'

export const ACCOUNT = 'contoso'
export const KEY: string = Buffer.from('a key that guards nothing').toString('base64')
export const ORIGIN = 'http://127.0.0.1:10002'
/** Noon of a day; the service's clock shows it when a conversation begins. */
export const NOON: number = Date.UTC(2026, 10, 20, 12)

/** The parts of a request that a test changes. */
export interface Said {
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string | object
  /** A shared access signature that replaces the account's key. */
  readonly sas?: string
  /** Sends the request to the secondary. */
  readonly isSecondary?: boolean
}

/** A service in this process. Tests write and sign its requests by hand. */
export class Conversation {
  readonly local: LocalTableService
  /** The service's clock. */
  now: number = NOON
  #ids = 0

  constructor(options: LocalTableServiceOptions = {}) {
    this.local = localTableService({
      ...options,
      accounts: [{ name: ACCOUNT, key: KEY }],
      now: () => this.now,
      newId: () => `id-${++this.#ids}`,
    })
  }

  /** Sends one request to the account in path style: `send('GET', "/Tables('x')?$format=json")`. */
  send(method: string, target: string, said: Said = {}): Promise<HttpResponse> {
    const { headers, body, sas, isSecondary = false } = said
    const [below = '', query = ''] = target.split(/\?(.*)/s)
    const path = `/${ACCOUNT}${isSecondary ? '-secondary' : ''}${below}`
    const component = query.split('&').find((pair) => pair.startsWith('comp='))
    const resource = `/${ACCOUNT}${path}${component === undefined ? '' : `?${component}`}`
    const date = new Date(this.now).toUTCString()
    return this.local.transport({
      method: method as HttpMethod,
      origin: ORIGIN,
      path,
      query: [query, sas].filter(Boolean).join('&'),
      headers: defined({
        accept: 'application/json;odata=minimalmetadata',
        'content-type': body === undefined ? undefined : 'application/json',
        'x-ms-date': date,
        authorization:
          sas === undefined
            ? `SharedKeyLite ${ACCOUNT}:${sign(`${date}\n${resource}`)}`
            : undefined,
        ...headers,
      }),
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    })
  }

  /** Starts a conversation and creates a table. */
  static async withTable(table: string): Promise<Conversation> {
    const conversation = new Conversation()
    await conversation.send('POST', '/Tables', { body: { TableName: table } })
    return conversation
  }
}

/** Signs a text with the account's key. */
export function sign(text: string): string {
  return createHmac('sha256', Buffer.from(KEY, 'base64')).update(text).digest('base64')
}

/** Returns status, code and text of an error, without the request id and the time. */
export function rejectionOf({ status, body }: HttpResponse): [number, string, string] {
  const { code, message } = JSON.parse(body)['odata.error']
  return [status, code, message.value.replace(/\nRequestId:[^\n]*\nTime:[^\n]*$/, '')]
}

/** Returns status and code of an error in XML. */
export function xmlCodeOf({ status, body }: HttpResponse): [number, string | undefined] {
  return [status, /<m:code>(\w+)<\/m:code>/.exec(body)?.[1]]
}

/** Returns status and code of an error. */
export function codeOf(response: HttpResponse): [number, string] {
  const [status, code] = rejectionOf(response)
  return [status, code]
}

function defined(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => !!entry[1])
  return Object.fromEntries(given)
}

/** One operation of a batch: its request line, headers and body. */
export interface BatchedPart {
  readonly method: string
  /** Below the account, like the target of {@link Conversation.send}. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | object
}

/** The body of a batch and the header that belongs to it. */
export type BatchSaid = Required<Pick<Said, 'headers' | 'body'>>

/** Writes a change set like a client, with its header. */
export function changeSetOf(...parts: readonly BatchedPart[]): BatchSaid {
  const written = parts.map((part) => `--changeset_1\r\n${writePart(part)}`).join('')
  const changeSet = `Content-Type: multipart/mixed; boundary=changeset_1\r\n\r\n${written}--changeset_1--\r\n`
  return batchOf(changeSet)
}

/** Writes a batch with one query. */
export function queryOf(part: BatchedPart): BatchSaid {
  return batchOf(writePart(part))
}

function batchOf(content: string): BatchSaid {
  return {
    headers: { 'content-type': 'multipart/mixed; boundary=batch_1' },
    body: `--batch_1\r\n${content}--batch_1--\r\n`,
  }
}

function writePart({ method, target, headers = {}, body = '' }: BatchedPart): string {
  const lines = Object.entries(headers).map(([name, text]) => `${name}: ${text}\r\n`)
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const line = `${method} ${ORIGIN}/${ACCOUNT}${target} HTTP/1.1`
  return `Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${line}\r\n${lines.join('')}\r\n${text}\r\n`
}

/** The response to one operation of a batch. */
export interface PartResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Returns the responses in a batch, in order. */
export function partsOf({ body }: HttpResponse): PartResponse[] {
  return body
    .split(/\r\n(?=HTTP\/1\.1 )/)
    .slice(1)
    .map((text) => {
      const [head = '', rest = ''] = text.split(/\r\n\r\n(.*)/s)
      const [status = '', ...lines] = head.split('\r\n')
      return {
        status: Number(status.split(' ')[1]),
        headers: Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2))),
        body: rest.split(/\r\n--/)[0] ?? '',
      }
    })
}
