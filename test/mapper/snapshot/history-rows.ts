import { parseEntityObject, type RawEntity } from '@rowkey/odata'
import type { HttpRequest, HttpResponse } from '@rowkey/rest'

/** Stored properties by name, without the keys and the Timestamp; each as text with its type: `Int32 5`. */
export type Properties = ReadonlyMap<string, string>

/** One version of a row. Never changed. */
export interface StoredRow {
  readonly etag: string
  readonly properties: Properties
}

/** What a request wants to do to one row. */
export interface SentChange {
  readonly kind: 'insert' | 'replace' | 'merge' | 'delete'
  readonly table: string
  readonly partitionKey: string
  readonly rowKey: string
  /** `If-Match`; `undefined` for an insert and for an upsert. */
  readonly condition: string | undefined
  readonly properties: Properties
}

/** The outcome of one change, as the response tells it. */
export interface ChangeOutcome {
  readonly status: number
  readonly etag: string | undefined
}

const SYSTEM: ReadonlySet<string> = new Set(['PartitionKey', 'RowKey', 'Timestamp'])
const ANNOTATION = '@odata.type'

/** The properties in the JSON of an entity. A null is not a property. */
export function propertiesOf(raw: RawEntity): Properties {
  const properties = new Map<string, string>()
  for (const [name, value] of Object.entries(raw)) {
    if (value === null || SYSTEM.has(name)) continue
    if (name.startsWith('odata.') || name.endsWith(ANNOTATION)) continue
    properties.set(name, textOf(value, raw[name + ANNOTATION]))
  }
  return properties
}

/** A row over which properties were merged. */
export function merged(before: Properties, sent: Properties): Properties {
  return new Map([...before, ...sent])
}

function textOf(value: unknown, annotation: unknown): string {
  const type = typeof annotation === 'string' ? annotation.slice('Edm.'.length) : typeByJson(value)
  if (type === 'DateTime')
    return `${type} ${String(value)
      .replace(/(\.\d*?)0+Z$/, '$1Z')
      .replace('.Z', 'Z')}`
  if (type === 'Guid') return `${type} ${String(value).toLowerCase()}`
  return `${type} ${String(value)}`
}

function typeByJson(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'Int32' : 'Double'
  return typeof value === 'boolean' ? 'Boolean' : 'String'
}

/** `/account/table(PartitionKey='p',RowKey='r')` or `/account/table`. */
const PATH = /^\/[^/]+\/(\w+)(?:\(PartitionKey='(.*)',RowKey='(.*)'\))?$/

/** The changes in a write, one or those of a transaction; none in any other request. */
export function changesIn(request: HttpRequest): SentChange[] {
  if (request.method === 'GET' || request.readsOnly === true) return []
  if (!request.path.endsWith('/$batch')) {
    const change = changeOf(request.method, request.path, request.headers['if-match'], request.body)
    return change === undefined ? [] : [change]
  }
  const body = request.body ?? ''
  return body.split('--changeset_rowkey\r\n').slice(1).map(changeInPart)
}

function changeInPart(part: string): SentChange {
  const lines = part.split('\r\n')
  const head = lines.find((line) => line.endsWith(' HTTP/1.1')) ?? ''
  const [method = '', url = ''] = head.split(' ')
  const condition = lines.find((line) => line.startsWith('If-Match: '))?.slice('If-Match: '.length)
  const body = lines.find((line) => line.startsWith('{'))
  const change = changeOf(method, new URL(url).pathname, condition, body)
  if (change === undefined) throw new Error(`not a change: ${head}`)
  return change
}

function changeOf(
  method: string,
  path: string,
  condition: string | undefined,
  body: string | undefined,
): SentChange | undefined {
  const [, table = '', ...keys] = PATH.exec(path) ?? []
  const raw = body === undefined ? {} : parseEntityObject(body)
  const kind = KINDS[method]
  if (kind === undefined || table === 'Tables' || table === '') return undefined
  const [partitionKey = '', rowKey = ''] =
    kind === 'insert'
      ? [String(raw.PartitionKey), String(raw.RowKey)]
      : keys.map((key) => decodeURIComponent(key).replaceAll("''", "'"))
  return { kind, table, partitionKey, rowKey, condition, properties: propertiesOf(raw) }
}

const KINDS: Readonly<Record<string, SentChange['kind']>> = {
  POST: 'insert',
  PUT: 'replace',
  PATCH: 'merge',
  MERGE: 'merge',
  DELETE: 'delete',
}

/** What became of the changes in a request. */
export function outcomesIn(response: HttpResponse, count: number): ChangeOutcome[] {
  if (response.headers['content-type']?.startsWith('multipart/') !== true) {
    const outcome = { status: response.status, etag: response.headers.etag }
    return Array.from({ length: count }, () => outcome)
  }
  const parts = response.body.split(/^HTTP\/1\.1 /m).slice(1)
  const found = parts.map((part) => ({
    status: Number(part.slice(0, 3)),
    etag: /^etag: (.*?)\r?$/im.exec(part)?.[1],
  }))
  // One refusal stands for all.
  const refused = found.find(({ status }) => status >= 300)
  return refused === undefined ? found : Array.from({ length: count }, () => refused)
}

/** A row after a change was applied to it. */
export function rowAfter(
  before: StoredRow | undefined,
  { kind, properties }: SentChange,
  etag: string,
): StoredRow | undefined {
  if (kind === 'delete') return undefined
  const isMerge = kind === 'merge' && before !== undefined
  return { etag, properties: isMerge ? merged(before.properties, properties) : properties }
}
