import type { HttpHeaders } from '@rowkey/rest'
import type { CallPlace, CallText } from '../call/read-call.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { boundaryOf, readHeaders, splitMessage, splitParts } from './multipart.ts'

/** What a batch asks for: changes to make together, or one entity to read. */
export type Batch =
  | { readonly kind: 'change set'; readonly parts: readonly CallText[] }
  | { readonly kind: 'query'; readonly part: CallText }

/** The headers of a part that does not set them. */
const PART_DEFAULTS = {
  accept: 'application/json;odata=minimalmetadata',
  'content-type': 'application/json',
} as const

const REQUEST_LINE = /^([A-Za-z]+) +(\S.*)$/
const VERSION = /^HTTP\/\d\.\d$/
const ORIGIN = /^https?:\/\/[^/?]*/i

/** Reads the body of a batch. */
export function readBatch(call: ServiceCall): Batch {
  const boundary = boundaryOf(call.headers['content-type'])
  if (boundary === undefined) throw malformed('A batch must be multipart/mixed with a boundary.')
  const [only, ...others] = splitParts(call.body, boundary).map(splitMessage)
  if (only === undefined || others.length > 0) {
    throw malformed('A batch must hold one change set, or one query.')
  }
  const changeSet = boundaryOf(readHeaders(only.head)['content-type'])
  if (changeSet === undefined) return { kind: 'query', part: readQuery(call, only.body) }
  const readHeadersOf = headerReader()
  const parts = splitParts(only.body, changeSet).map((part) =>
    readPart(call, splitMessage(part).body, readHeadersOf),
  )
  return { kind: 'change set', parts }
}

function readQuery(place: CallPlace, text: string): CallText {
  const part = readPart(place, text, headerReader())
  if (part.method === 'GET') return part
  throw malformed('A write in a batch must stand in a change set.')
}

/** Reads header lines; what the parts of one batch say alike, as most do, is read once. */
function headerReader(): (text: string) => HttpHeaders {
  const known = new Map<string, HttpHeaders>()
  return (text) => {
    let headers = known.get(text)
    if (headers === undefined) {
      headers = { ...PART_DEFAULTS, ...readHeaders(text) }
      known.set(text, headers)
    }
    return headers
  }
}

function readPart(
  place: CallPlace,
  text: string,
  readHeadersOf: (text: string) => HttpHeaders,
): CallText {
  const { head, body } = splitMessage(text)
  const lineEnd = head.indexOf('\n')
  const requestLine = (lineEnd < 0 ? head : head.slice(0, lineEnd)).trimEnd()
  const [, method, target] = REQUEST_LINE.exec(requestLine) ?? []
  if (method === undefined || target === undefined) {
    throw malformed(`'${requestLine}' is not a request line.`)
  }
  const [path = '', query = ''] = splitUrl(withoutVersion(target))
  return {
    method: method.toUpperCase(),
    resourcePath: belowAccount(place, path),
    query,
    headers: readHeadersOf(lineEnd < 0 ? '' : head.slice(lineEnd + 1)),
    body: body.trimEnd(),
  }
}

/** The address is what stands before the last blank: some clients put one between the keys too. */
function withoutVersion(target: string): string {
  const blank = target.lastIndexOf(' ')
  return blank >= 0 && VERSION.test(target.slice(blank + 1))
    ? target.slice(0, blank).trimEnd()
    : target
}

/** Absolute, or relative to the host's root. */
function splitUrl(url: string): [path: string, query: string] {
  const target = url.replace(ORIGIN, '')
  const question = target.indexOf('?')
  return question < 0 ? [target, ''] : [target.slice(0, question), target.slice(question + 1)]
}

/**
 * A client that leaves out the account of a path-style service means the account of the batch, as
 * does one that names the primary in a batch for the secondary.
 */
function belowAccount({ basePath, account }: CallPlace, path: string): string {
  const bases = basePath === '' ? [] : [basePath, `/${account}`]
  const base = bases.find((one) => path.startsWith(`${one}/`)) ?? ''
  const below = path.slice(base.length)
  return below.startsWith('/') ? below : `/${below}`
}

function malformed(text: string): ServiceFault {
  return new ServiceFault('InvalidInput', { text })
}
