import { ServiceFault } from '../fault/service-fault.ts'

/** A MIME part, or an HTTP message: what comes before the first blank line, and what after it. */
export interface Message {
  /** The lines before the blank one, without their ends. */
  readonly head: readonly string[]
  readonly body: string
}

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i

/** The boundary that a `multipart/mixed` content type names; `undefined` for any other type. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || !/^\s*multipart\/mixed\s*;/i.test(contentType)) return undefined
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  return quoted ?? bare
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
  throw new ServiceFault('InvalidInput', {
    text: 'The multipart body has no closing delimiter.',
  })
}

/** Parts a message at its first blank line; blank lines before it are passed over. */
export function splitMessage(text: string): Message {
  const head: string[] = []
  let at = 0
  while (at < text.length) {
    const next = nextLine(text, at)
    const line = text.slice(at, next).trimEnd()
    at = next
    if (line !== '') head.push(line)
    else if (head.length > 0) break
  }
  return { head, body: text.slice(at) }
}

/** Header lines by their names in lower case. */
export function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) {
      throw new ServiceFault('InvalidInput', { text: `'${line}' is not a header.` })
    }
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
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
  const rest = text.slice(end, nextLine(text, end)).trimEnd()
  return rest === '' || rest === '--'
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
