import { Rejection } from '../rejection/rejection.ts'

/** A MIME part or an HTTP message, split at the first blank line. */
export interface Message {
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
