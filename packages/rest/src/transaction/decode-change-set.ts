import { DecodeError } from '@rowkey/odata'
import type { HttpHeaders, HttpResponse } from '../http/transport.ts'

/** The headers that anything is made of; the others say again what was sent. */
const READ: ReadonlySet<string> = new Set([
  'content-type',
  'etag',
  'x-ms-error-code',
  'x-ms-request-id',
])

const STATUS_LINE = /^HTTP\/[^ ]* (\d{3})(?: |$)/

/**
 * The answers inside the answer to an entity group transaction, in order. That to a read stands there
 * alone, without a change set around it; an emulator puts one around it all the same.
 *
 * A separator counts only at the start of a line, and JSON has no line breaks inside its strings, so
 * an entity may hold any text. Of the headers there are those that say something about the outcome.
 *
 * @param response - the answer to the whole
 * @throws {@link DecodeError} when it is not such an answer or ends too early
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
  return [readAnswer(lines, `--${outer}`, response.body)]
}

function readParts(lines: LineReader, separator: string, text: string): HttpResponse[] {
  const parts: HttpResponse[] = []
  const closing = `${separator}--`
  for (;;) {
    if (lines.skipTo(separator) === undefined) throw endsTooEarly()
    if (lines.next()?.startsWith(closing)) return parts
    skipHeaders(lines)
    parts.push(readAnswer(lines, separator, text))
  }
}

function readAnswer(lines: LineReader, separator: string, text: string): HttpResponse {
  const status = readStatus(lines)
  const headers = readHeaders(lines)
  const start = lines.position
  const end = lines.skipTo(separator)
  if (end === undefined) throw endsTooEarly()
  return { status, headers, body: text.slice(start, end).trim() }
}

/** The number in `HTTP/1.1 204 No Content`, before which some services leave a line empty. */
function readStatus(lines: LineReader): number {
  let line = lines.next()
  while (line === '') line = lines.next()
  const status = Number(STATUS_LINE.exec(line ?? '')?.[1])
  if (status >= 200 && status < 600) return status
  throw new DecodeError({
    message:
      'A part of the answer to the entity group transaction has no HTTP status. The outcome is unknown: it may have been applied.',
    mayHaveApplied: true,
  })
}

/** Those around a part say of each that it is an answer. */
function skipHeaders(lines: LineReader): void {
  while (lines.next()) {
    // Up to the empty line after them.
  }
}

/** Up to the empty line after them, or to an entity, before which an emulator leaves none. */
function readHeaders(lines: LineReader): HttpHeaders {
  const headers: Record<string, string> = {}
  while (!lines.startsWith('{')) {
    const line = lines.next()
    if (line === undefined || line === '') break
    const colon = line.indexOf(':')
    const name = colon < 0 ? '' : line.slice(0, colon).toLowerCase()
    if (READ.has(name)) headers[name] = detached(line.slice(colon + 1).trim())
  }
  return headers
}

/**
 * The same text by itself. A part of a text keeps all of it in memory, and an entity keeps its ETag: so
 * each entity that was written in a transaction would keep the whole answer.
 */
function detached(part: string): string {
  // What is joined is copied before it is cut.
  return `${part} `.slice(0, -1)
}

/** The `boundary` of a Content-Type, with or without quotes. */
function boundaryOf(contentType: string | undefined): string | undefined {
  const at = contentType?.toLowerCase().indexOf('boundary=') ?? -1
  if (contentType === undefined || at < 0) return undefined
  const text = contentType.slice(at + 'boundary='.length)
  const boundary = text.startsWith('"') ? text.slice(1).split('"', 1)[0] : text.split(';', 1)[0]
  return boundary?.trim() || undefined
}

function notMultipart({ status }: HttpResponse): DecodeError {
  return new DecodeError({
    message: `The entity group transaction was answered ${status} without the results of its changes. The outcome is unknown: it may have been applied.`,
    mayHaveApplied: true,
  })
}

function endsTooEarly(): DecodeError {
  return new DecodeError({
    message:
      'The answer to the entity group transaction ends too early. The outcome is unknown: it may have been applied.',
    mayHaveApplied: true,
  })
}

/** Goes through a text line by line, whether they end in CRLF or in LF, without splitting it. */
export class LineReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Where the next line starts. */
  get position(): number {
    return this.#at
  }

  /**
   * Whether the next line starts so.
   *
   * @param start - the first characters of the line
   */
  startsWith(start: string): boolean {
    return this.#text.startsWith(start, this.#at)
  }

  /** The next line without its end; `undefined` when there is none. */
  next(): string | undefined {
    const start = this.#at
    if (start >= this.#text.length) return undefined
    const found = this.#text.indexOf('\n', start)
    const end = found < 0 ? this.#text.length : found
    this.#at = end + 1
    return this.#text.slice(start, end > start && this.#text[end - 1] === '\r' ? end - 1 : end)
  }

  /**
   * Passes over everything up to a line that starts so, and stops before that line.
   *
   * @param start - the first characters of the line
   * @returns where the line starts; `undefined`, having moved nowhere, when there is none
   */
  skipTo(start: string): number | undefined {
    let at = this.#text.startsWith(start, this.#at) ? this.#at : -1
    if (at < 0) {
      const before = this.#text.indexOf(`\n${start}`, Math.max(0, this.#at - 1))
      if (before < 0) return undefined
      at = before + 1
    }
    this.#at = at
    return at
  }
}
