import type { RecordedExchange } from './recording.ts'
import { headersOf } from './recording.ts'

/** What two services agree on when they answer alike. */
export interface AnswerShape {
  readonly status: number
  /** The service's word for a refusal; empty for none. */
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

type Recorded = RecordedExchange['response']

/** Azurite leaves out what is not listed here, or sends it always: its first two deviations. */
const COMPARED = /^(?:etag|content-type|x-ms-continuation-.*|access-control-.*)$/

/** What matters of an answer, whoever gave it. */
export function answerShape({ status, headers, body }: Recorded): AnswerShape {
  const type = headersOf(headers)['content-type'] ?? ''
  // An answer to HEAD has no body to say it in.
  const code = codeIn(body) || (headersOf(headers)['x-ms-error-code'] ?? '')
  const isRefusal = status >= 400
  // Azurite refuses in XML what the service refuses in JSON.
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

/** Elements in any order, without what says nothing. */
function xmlShape(xml: string): unknown {
  const elements = xml.replace(/^\uFEFF?<\?xml.*?\?>/s, '').match(/<[^<]+/g) ?? []
  return elements.map((element) => settled(element.replace(/ ?\/>/, '/>').trim())).sort()
}

/** Members in any order, every number as it is written, and nothing of when and where it was. */
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
  // Azurite keeps the case in which a Guid was given.
  if (GUID.test(text)) return text.toLowerCase()
  return text
    .replace(/http:\/\/127\.0\.0\.1:\d+/, '')
    .replace(/(\d\d:\d\d:\d\d)\.0+Z$/, '$1Z')
    .replace(/^(number .*e)\+/, '$1')
}

/** The answers inside of a batch: status, code, and which headers there are. */
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

/** The index before the text of a refusal. */
function prefixIn(text: string): string {
  return /"value":"(\d+:)/.exec(text)?.[1] ?? ''
}
