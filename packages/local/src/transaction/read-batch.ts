import type { HttpHeaders } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import type { RequestPlace, RequestText } from '../request/read-request.ts'
import type { ServiceRequest } from '../request/service-request.ts'

/** A MIME part or an HTTP message, split at the first blank line. */
interface Message {
  /** The lines before the blank one. */
  readonly head: string
  /** Empty when absent. */
  readonly body: string
}

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i

/** @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
const MAX_BOUNDARY_LENGTH = 70

const BLANK_LINES = /(?:[^\S\n]*\n)*/y
const BLANK_LINE = /\n[^\S\n]*(?:\n|$)/g
/** What may follow the boundary in a delimiter line. */
const DELIMITER_END = /(?:--)?[^\S\n]*(?:\n|$)/y

/**
 * Returns the boundary of a `multipart/mixed` content type; `undefined` for any other type.
 *
 * @throws Rejection InvalidInput for a boundary that is too long to search for
 */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^\s*multipart\/mixed\s*;/i.test(contentType)) return undefined
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined || boundary.length <= MAX_BOUNDARY_LENGTH) return boundary
  throw new Rejection('InvalidInput', {
    text: `A boundary has ${MAX_BOUNDARY_LENGTH} characters at most.`,
  })
}

/**
 * Splits a multipart text at its delimiter lines. LF counts as CRLF, and the closing delimiter may
 * end the text.
 *
 * @throws Rejection InvalidInput
 */
export function splitParts(text: string, boundary: string): string[] {
  const delimiter = `--${boundary}`
  const parts: string[] = []
  let start = -1
  let at = nextDelimiter(text, delimiter, 0)
  while (at >= 0) {
    if (start >= 0) parts.push(text.slice(start, lineEndBefore(text, at)))
    const after = at + delimiter.length
    if (text.startsWith('--', after)) return parts
    start = nextLine(text, after)
    at = nextDelimiter(text, delimiter, after)
  }
  throw new Rejection('InvalidInput', {
    text: 'The multipart body has no closing delimiter.',
  })
}

/** Splits a message at its first blank line. Blank lines before the message are ignored. */
export function splitMessage(text: string): Message {
  const start = endOfMatch(BLANK_LINES, text, 0)
  BLANK_LINE.lastIndex = start
  const blank = BLANK_LINE.exec(text)
  if (blank === null) return { head: text.slice(start), body: '' }
  return { head: text.slice(start, blank.index), body: text.slice(BLANK_LINE.lastIndex) }
}

/**
 * Reads the header lines of a text, by names in lower case. Two lines of one name are one list, as
 * in HTTP, so that two conditions do not become one. Of two content types the first counts.
 *
 * @throws Rejection InvalidInput
 */
export function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  if (text === '') return headers
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    if (colon < 1) {
      throw new Rejection('InvalidInput', { text: `'${line.trimEnd()}' is not a header.` })
    }
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = headers[name]
    if (before === undefined) headers[name] = value
    else if (name !== 'content-type') headers[name] = `${before}, ${value}`
  }
  return headers
}

/**
 * Finds the next delimiter that is a line of its own: another boundary may begin with the same
 * text.
 */
function nextDelimiter(text: string, delimiter: string, from: number): number {
  let at = text.indexOf(delimiter, from)
  while (at >= 0 && !isDelimiterLine(text, at, at + delimiter.length)) {
    at = text.indexOf(delimiter, at + 1)
  }
  return at
}

function isDelimiterLine(text: string, start: number, end: number): boolean {
  if (start > 0 && text[start - 1] !== '\n') return false
  return endOfMatch(DELIMITER_END, text, end) > end || end === text.length
}

/** Returns the end of a sticky match, or the place itself without a match. */
function endOfMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Returns where the next line begins, or the text ends. */
function nextLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline + 1
}

/** Returns the end of the line before a delimiter. The line end belongs to the delimiter. */
function lineEndBefore(text: string, delimiter: number): number {
  return text[delimiter - 2] === '\r' ? delimiter - 2 : delimiter - 1
}

/** The content of a batch: changes to apply together, or one entity to read. */
type Batch =
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
  const readPart = partReader(request)
  const parts = splitParts(only.body, changeSet).map((part) => readPart(splitMessage(part)))
  return { kind: 'change set', parts }
}

function readQuery(place: RequestPlace, message: Message): RequestText {
  const part = partReader(place)(message)
  if (part.method === 'GET') return part
  throw malformed('A write in a batch must stand in a change set.')
}

/** Makes a function that reads the parts of one batch. Most parts have the same headers. */
function partReader(place: RequestPlace): (part: Message) => RequestText {
  const checkPart = unlessRepeated(checkPartHeaders)
  const headersOf = unlessRepeated(
    (text): HttpHeaders => ({ ...PART_DEFAULTS, ...readHeaders(text) }),
  )
  return (part) => {
    checkPart(part.head)
    const { head, body } = splitMessage(part.body)
    const lineEnd = head.indexOf('\n')
    const [method, target] = splitRequestLine(lineEnd < 0 ? head : head.slice(0, lineEnd))
    const [path = '', query = ''] = splitUrl(target)
    return {
      method: method.toUpperCase(),
      resourcePath: belowAccount(place, path),
      query,
      headers: headersOf(lineEnd < 0 ? '' : head.slice(lineEnd + 1)),
      body: body.trimEnd(),
    }
  }
}

/** Calls a function only for a text that differs from the one before; otherwise returns its last result. */
function unlessRepeated<Result>(read: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, result: read(text) }
    return last.result
  }
}

/** Rejects a part whose own headers do not announce a request. */
function checkPartHeaders(text: string): void {
  const type = readHeaders(text)['content-type'] ?? ''
  if (HTTP_PART.test(type)) return
  throw malformed(`The Content-Type of a part must be application/http, not '${type}'.`)
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
