import type { RecordedExchange } from './recording.ts'
import { headersOf } from './recording.ts'

/** What must be equal in the responses of two services. */
export interface ResponseShape {
  readonly status: number
  /** The error code; empty for a success. */
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

type Recorded = RecordedExchange['response']

/** Azurite always sends, or never sends, the other headers: its first two deviations. */
const COMPARED = /^(?:etag|content-type|x-ms-continuation-.*|access-control-.*)$/

/** Reduces a response to what must be equal. */
export function responseShape({ status, headers, body }: Recorded): ResponseShape {
  const type = headersOf(headers)['content-type'] ?? ''
  // A response to HEAD has no body with a code.
  const code = codeIn(body) || (headersOf(headers)['x-ms-error-code'] ?? '')
  const isRefusal = status >= 400
  // Azurite sends errors as XML where the service sends JSON.
  const isTyped = body !== '' && !isRefusal
  const named = Object.entries(headersOf(headers)).filter(
    ([name]) => COMPARED.test(name) && (isTyped || name !== 'content-type'),
  )
  return {
    status,
    code,
    headers: Object.fromEntries(named.map(([name, text]) => [name, settledHeader(name, text)])),
    body: isRefusal ? 'a refusal' : bodyShape(type, body),
  }
}

function codeIn(body: string): string {
  const [, inJson, inXml] = /"code":"(\w+)"|<(?:m:)?code>(\w*)</i.exec(body) ?? []
  return inJson ?? inXml ?? ''
}

function settledHeader(name: string, text: string): string {
  if (name === 'etag' || name.startsWith('x-ms-continuation-')) return 'given'
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  return [type, ...parameters.filter((one) => one.startsWith('odata='))].join(';')
}

function bodyShape(type: string, body: string): unknown {
  if (body === '') return body
  if (type.startsWith('application/json')) return jsonShape(body)
  if (type.startsWith('multipart')) return partShapes(body)
  return xmlShape(body)
}

/** Elements in any order, without empty ones. */
function xmlShape(xml: string): unknown {
  const elements = xml.replace(/^\uFEFF?<\?xml.*?\?>/s, '').match(/<[^<]+/g) ?? []
  return elements.map((element) => settled(element.replace(/ ?\/>/, '/>').trim())).sort()
}

/** Members in any order, numbers as text, without times and hosts. */
function jsonShape(json: string): unknown {
  const exact = json.replace(/":(-?\d[-+.\deE]*)(?=[,}])/g, '":"number $1"')
  return JSON.parse(exact, (name, value: unknown) => {
    if (name === 'odata.metadata') return 'given'
    return typeof value === 'string' ? settled(value) : value
  })
}

const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

function settled(text: string): string {
  if (/^2026-11-20T11:49:\d\d\.\d{3}/.test(text) || text.startsWith('W/"datetime')) return 'stamp'
  // Azurite keeps the case of the caller's Guid.
  if (GUID.test(text)) return text.toLowerCase()
  return text
    .replace(/http:\/\/127\.0\.0\.1:\d+/, '')
    .replace(/(\d\d:\d\d:\d\d)\.0+Z$/, '$1Z')
    .replace(/^(number .*)[eE]\+?/, '$1e')
}

/** The responses in a batch: status, code, and names of headers. */
function partShapes(body: string): unknown {
  return body
    .split(/^HTTP\/1\.1 /m)
    .slice(1)
    .map((part) => {
      const [head = '', text = ''] = part.split(/\r?\n\r?\n(.*)/s)
      const names = Array.from(head.matchAll(/^(ETag):/gm), ([, name]) => name)
      return { status: Number.parseInt(head, 10), names, code: codeIn(text), text: prefixIn(text) }
    })
}

/** Returns the index at the start of an error text. */
function prefixIn(text: string): string {
  return /"value":"(\d+:)/.exec(text)?.[1] ?? ''
}
