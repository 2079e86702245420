import type { HttpMethod, HttpRequest } from '../http/http-request.ts'

/** A request, or the part of an entity group transaction that is one. */
export type RequestPart = Omit<HttpRequest, 'origin'>

const REQUEST_LINE = /^(\w+) (\S+) HTTP\/1\.1$/

/**
 * The requests in the body of an entity group transaction that this package encoded. No line in them
 * starts with two dashes but what separates them.
 *
 * @param body - the body
 */
export function readParts(body: string): readonly RequestPart[] {
  return body.split('\r\n--').flatMap((part) => {
    const lines = part.split('\r\n')
    const at = lines.findIndex((line) => REQUEST_LINE.test(line))
    return at < 0 ? [] : [readPart(lines.slice(at))]
  })
}

function readPart([requestLine = '', ...lines]: readonly string[]): RequestPart {
  const [, method, url = ''] = REQUEST_LINE.exec(requestLine) ?? []
  const blank = lines.indexOf('')
  const headers = Object.fromEntries(lines.slice(0, blank).map(readHeader))
  const [path = '', query = ''] = url.replace(/^https?:\/\/[^/]+/, '').split('?')
  // Encoded by this package, so it is one of the verbs.
  return { method: method as HttpMethod, path, query, headers, body: lines[blank + 1] }
}

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
