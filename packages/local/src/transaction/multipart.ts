import { Rejection } from '../rejection/rejection.ts'

/** A MIME part, or an HTTP message: what comes before the first blank line, and what after it. */
export interface Message {
  /** The lines before the blank one, as they stand. */
  readonly head: string
  /** Empty when there is none. */
  readonly body: string
}

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i

/** As MIME has it: https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
const MAX_BOUNDARY_LENGTH = 70

const BLANK_LINES = /(?:[^\S\n]*\n)*/y
const BLANK_LINE = /\n[^\S\n]*(?:\n|$)/g
/** What may follow on the boundary in a delimiter line. */
const DELIMITER_END = /(?:--)?[^\S\n]*(?:\n|$)/y

/**
 * The boundary that a `multipart/mixed` content type names; `undefined` for any other type.
 *
 * @throws Rejection InvalidInput for one so long that looking for it would take too long
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
 * The parts between the delimiter lines of a multipart text. Takes LF for CRLF, and forgives a
 * closing delimiter with nothing after it.
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

/** Parts a message at its first blank line; blank lines before it are passed over. */
export function splitMessage(text: string): Message {
  const start = endOfMatch(BLANK_LINES, text, 0)
  BLANK_LINE.lastIndex = start
  const blank = BLANK_LINE.exec(text)
  if (blank === null) return { head: text.slice(start), body: '' }
  return { head: text.slice(start, blank.index), body: text.slice(BLANK_LINE.lastIndex) }
}

/**
 * The header lines of a text by their names in lower case. What stands there twice is one list, as in
 * HTTP, so that two conditions are not taken for one; only of types the first counts.
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

/** A delimiter counts only when it is a line of its own: one boundary may begin like another. */
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

/** Where a sticky pattern that was tried at a place has ended; the place itself when it failed. */
function endOfMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}

/** Where the next line begins, or the text ends. */
function nextLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline + 1
}

/** The line end before a delimiter belongs to the delimiter. */
function lineEndBefore(text: string, delimiter: number): number {
  return text[delimiter - 2] === '\r' ? delimiter - 2 : delimiter - 1
}
