import type { HttpHeaders } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import type { RequestPlace, RequestText } from '../request/read-request.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { boundaryOf, type Message, readHeaders, splitMessage, splitParts } from './multipart.ts'

/** The content of a batch: changes to apply together, or one entity to read. */
export type Batch =
  | { readonly kind: 'change set'; readonly parts: readonly RequestText[] }
  | { readonly kind: 'query'; readonly part: RequestText }

/** The headers of a part that does not set them. */
const PART_DEFAULTS = {
  accept: 'application/json;odata=minimalmetadata',
  'content-type': 'application/json',
} as const

const METHOD = /^[A-Za-z]+$/
const VERSION = /^HTTP\/\d\.\d$/
const HTTP_PART = /^application\/http\s*(?:;|$)/i
const ORIGIN = /^https?:\/\/[^/?]*/i

/**
 * Reads the body of a batch.
 *
 * @throws Rejection InvalidInput
 */
export function readBatch(request: ServiceRequest): Batch {
  const boundary = boundaryOf(request.headers['content-type'])
  if (boundary === undefined) throw malformed('A batch must be multipart/mixed with a boundary.')
  const [only, ...others] = splitParts(request.body, boundary).map(splitMessage)
  if (only === undefined || others.length > 0) {
    throw malformed('A batch must hold one change set, or one query.')
  }
  const changeSet = boundaryOf(readHeaders(only.head)['content-type'])
  if (changeSet === undefined) return { kind: 'query', part: readQuery(request, only) }
  const headers = new PartHeaders()
  const parts = splitParts(only.body, changeSet).map((part) =>
    readPart(request, splitMessage(part), headers),
  )
  return { kind: 'change set', parts }
}

function readQuery(place: RequestPlace, message: Message): RequestText {
  const part = readPart(place, message, new PartHeaders())
  if (part.method === 'GET') return part
  throw malformed('A write in a batch must stand in a change set.')
}

/**
 * Reads the headers of the parts of one batch. Most parts have the same: each text is read once.
 */
class PartHeaders {
  readonly #known = new Map<string, HttpHeaders>()
  readonly #mimeTypes = new Map<string, string>()

  /** Returns the headers of the request in a part. */
  ofRequest(text: string): HttpHeaders {
    let headers = this.#known.get(text)
    if (headers === undefined) {
      headers = { ...PART_DEFAULTS, ...readHeaders(text) }
      this.#known.set(text, headers)
    }
    return headers
  }

  /** Returns the content type of the part itself. */
  mimeType(text: string): string {
    let type = this.#mimeTypes.get(text)
    if (type === undefined) {
      type = readHeaders(text)['content-type'] ?? ''
      this.#mimeTypes.set(text, type)
    }
    return type
  }
}

function readPart(place: RequestPlace, part: Message, headers: PartHeaders): RequestText {
  const type = headers.mimeType(part.head)
  if (!HTTP_PART.test(type)) {
    throw malformed(`The Content-Type of a part must be application/http, not '${type}'.`)
  }
  const { head, body } = splitMessage(part.body)
  const lineEnd = head.indexOf('\n')
  const [method, target] = splitRequestLine(lineEnd < 0 ? head : head.slice(0, lineEnd))
  const [path = '', query = ''] = splitUrl(target)
  return {
    method: method.toUpperCase(),
    resourcePath: belowAccount(place, path),
    query,
    headers: headers.ofRequest(lineEnd < 0 ? '' : head.slice(lineEnd + 1)),
    body: body.trimEnd(),
  }
}

/**
 * Splits a request line. The address ends at the last blank: some clients put blanks between the
 * keys.
 */
function splitRequestLine(text: string): [method: string, target: string] {
  const line = text.trimEnd()
  const first = line.indexOf(' ')
  const last = line.lastIndexOf(' ')
  const method = line.slice(0, Math.max(first, 0))
  const target = line.slice(first, last).trim()
  if (METHOD.test(method) && target !== '' && VERSION.test(line.slice(last + 1))) {
    return [method, target]
  }
  throw malformed(`'${line}' is not a request line: a method, an address and HTTP/1.1.`)
}

/** Splits an address that is absolute, or relative to the root of the host. */
function splitUrl(url: string): [path: string, query: string] {
  const target = url.replace(ORIGIN, '')
  const question = target.indexOf('?')
  return question < 0 ? [target, ''] : [target.slice(0, question), target.slice(question + 1)]
}

/**
 * Removes the account from a path. A part may leave out the account, which is that of the batch, or
 * name the primary in a batch for the secondary.
 */
function belowAccount({ basePath, account }: RequestPlace, path: string): string {
  const bases = basePath === '' ? [] : [basePath, `/${account}`]
  const base = bases.find((one) => path.startsWith(`${one}/`)) ?? ''
  const below = path.slice(base.length)
  return below.startsWith('/') ? below : `/${below}`
}

function malformed(text: string): Rejection {
  return new Rejection('InvalidInput', { text })
}
