import { DecodeError } from '@rowkey/odata'
import { doubtOf } from '../errors/transport-error.ts'
import type { HttpHeaders, HttpResponse } from '../http/transport.ts'

/** A line of a header that tells something about the outcome; the others repeat the request. */
const READ =
  /(?:content-type|etag|retry-after(?:-ms)?|x-ms-(?:error-code|request-id|retry-after-ms))(?=:)/iy

const STATUS_LINE = /^HTTP\/[^ ]* (\d{3})(?: |$)/

/**
 * Decodes the responses in the response to an entity group transaction, in order. The response to a
 * read has no change set around it, except from an emulator.
 *
 * A separator counts only at the start of a line, and JSON has no line breaks in its strings, so an
 * entity may contain any text. The parts keep only headers that tell something about the outcome.
 *
 * @param response - the response to the transaction
 * @throws {@link DecodeError} when it is not a response to a transaction, or ends too early
 */
export function decodeChangeSet(response: HttpResponse): HttpResponse[] {
  const lines = new LineReader(response.body)
  const outer = boundaryOf(response.headers['content-type'])
  if (outer === undefined || lines.skipTo(`--${outer}`) === undefined) throw notMultipart(response)
  lines.next()
  const { 'content-type': contentType } = readHeaders(lines)
  const inner = boundaryOf(contentType)
  if (inner !== undefined) return readParts(lines, `--${inner}`, response.body)
  if (contentType?.startsWith('application/http') !== true) throw notMultipart(response)
  return [readPart(lines, `--${outer}`, response.body)]
}

function readParts(lines: LineReader, separator: string, text: string): HttpResponse[] {
  const parts: HttpResponse[] = []
  const closing = `${separator}--`
  for (;;) {
    if (lines.skipTo(separator) === undefined) throw strangeBatch('ends too early')
    if (lines.startsWith(closing)) return parts
    // The headers around a part are the same for all.
    while (lines.skip()) {
      // Up to the empty line after them.
    }
    parts.push(readPart(lines, separator, text))
  }
}

function readPart(lines: LineReader, separator: string, text: string): HttpResponse {
  const start = lines.position
  const end = lines.skipTo(separator)
  if (end === undefined) throw strangeBatch('ends too early')
  const part = text.slice(start, end)
  return readApplied(part) ?? readOther(part)
}

const NO_CONTENT = 'HTTP/1.1 204 '
const ETAG = '\nETag: '

/** Reads a change that was applied, as most are: only its ETag matters. */
function readApplied(part: string): HttpResponse | undefined {
  const found = part.startsWith(NO_CONTENT) ? part.indexOf(ETAG) : -1
  if (found < 0) return undefined
  const start = found + ETAG.length
  const etag = detached(part.slice(start, part.indexOf('\n', start)))
  return { status: 204, headers: { etag }, body: '' }
}

function readOther(part: string): HttpResponse {
  const lines = new LineReader(part)
  const status = readStatus(lines)
  const headers = readHeaders(lines)
  return { status, headers, body: part.slice(lines.position).trim() }
}

/**
 * Reads the number in `HTTP/1.1 204 No Content`. Some services send an empty line before it, and an emulator the
 * boundary when it rejects the whole transaction.
 */
function readStatus(lines: LineReader): number {
  lines.skipTo('HTTP/')
  const status = Number(STATUS_LINE.exec(lines.next() ?? '')?.[1])
  if (status >= 200 && status < 600) return status
  throw strangeBatch('has a part without a valid HTTP status')
}

/** Reads up to the empty line, or to an entity: an emulator omits the empty line. */
function readHeaders(lines: LineReader): HttpHeaders {
  const headers: Record<string, string> = {}
  while (!lines.startsWith('{')) {
    const name = lines.find(READ)
    if (name !== undefined) {
      headers[name.toLowerCase()] = detached(lines.next()?.slice(name.length + 1) ?? '')
    } else if (!lines.skip()) break
  }
  return headers
}

/**
 * Copies a text. A slice keeps the whole text in memory, and an entity keeps its ETag, so each entity of
 * a transaction would keep the whole response.
 */
function detached(part: string): string {
  // A concatenated text is copied before it is sliced.
  return `${part} `.slice(0, -1).trim()
}

/** Reads the `boundary` of a Content-Type, with or without quotes. */
function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, plain] = /boundary=(?:"([^"]*)|([^;]*))/i.exec(contentType ?? '') ?? []
  return (quoted ?? plain)?.trim() || undefined
}

function notMultipart({ status }: HttpResponse): DecodeError {
  return strangeBatch(`has the status ${status} and no results of its changes`)
}

/**
 * Makes the error of a response to an entity group transaction that is not from the service.
 *
 * @param what - what is wrong with the response
 */
export function strangeBatch(what: string): DecodeError {
  return new DecodeError({
    message: `The response to the entity group transaction ${what}.${doubtOf(true)}`,
    mayHaveApplied: true,
  })
}

/** Reads a text line by line, with CRLF or LF, without splitting it. */
export class LineReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The index where the next line starts. */
  get position(): number {
    return this.#at
  }

  /**
   * Tells whether the next line starts with a text.
   *
   * @param start - the first characters of the line
   */
  startsWith(start: string): boolean {
    return this.#text.startsWith(start, this.#at)
  }

  /**
   * Returns what the next line starts with.
   *
   * @param pattern - sticky
   */
  find(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text) ? this.#text.slice(this.#at, pattern.lastIndex) : undefined
  }

  /** Returns the next line without its line break; `undefined` at the end. */
  next(): string | undefined {
    const start = this.#at
    const end = this.#pass()
    return end === undefined ? undefined : this.#text.slice(start, end)
  }

  /** Skips the next line, and tells whether it has any text. */
  skip(): boolean {
    const start = this.#at
    return (this.#pass() ?? start) > start
  }

  /** Goes to the next line, and returns where this one ends; `undefined` at the end. */
  #pass(): number | undefined {
    const start = this.#at
    if (start >= this.#text.length) return undefined
    const found = this.#text.indexOf('\n', start)
    const end = found < 0 ? this.#text.length : found
    this.#at = end + 1
    return end > start && this.#text[end - 1] === '\r' ? end - 1 : end
  }

  /**
   * Skips to the next line that starts with a text, and stops before it.
   *
   * @param start - the first characters of the line
   * @returns the index where the line starts; `undefined`, without skipping, when no line does
   */
  skipTo(start: string): number | undefined {
    let at = this.#text.indexOf(start, this.#at)
    while (at > 0 && this.#text[at - 1] !== '\n') at = this.#text.indexOf(start, at + 1)
    if (at < 0) return undefined
    this.#at = at
    return at
  }
}
