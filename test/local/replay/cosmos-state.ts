import type { RecordedExchange, RecordedRequest } from './recording.ts'

/** Headers that every client sends, and that the recordings leave out. */
const USUAL = { authorization: 'SharedKeyLite myaccount:<signature>' }

/** Completes a recorded request, and dates it by the service's clock. */
export function cosmosRequest({ request }: RecordedExchange, now: number): RecordedRequest {
  const dated = { ...request.headers, 'x-ms-date': new Date(now).toUTCString() }
  if (!request.path.includes('sig=redacted')) return { ...request, headers: { ...USUAL, ...dated } }
  const path = request.path
    .replace('st=start&se=end', 'se=2040-01-01T00%3A00%3A00Z')
    .replace('sig=redacted', 'sig=<sig>')
  return { ...request, path, headers: dated }
}

/** A write that makes a part of the state before an exchange. */
interface Preparation {
  readonly path: string
  readonly body: object
}

/** Returns the writes that create the state in which some exchanges were recorded, as they show it. */
export function cosmosStateBefore(exchanges: readonly RecordedExchange[]): readonly Preparation[] {
  const tables = new Set(exchanges.flatMap(tablesOf))
  const rows = exchanges.flatMap((exchange) =>
    rowsOf(exchange).map((body) => ({ path: `/${tablesOf(exchange)[0]}`, body })),
  )
  return [...[...tables].map((name) => ({ path: '/Tables', body: { TableName: name } })), ...rows]
}

/** Makes the request of a preparation. */
export function preparing({ path, body }: Preparation, now: number): RecordedRequest {
  return {
    method: 'POST',
    host: 'myaccount.table.cosmos.azure.com',
    path,
    headers: {
      ...USUAL,
      accept: 'application/json;odata=minimalmetadata',
      'content-type': 'application/json',
      prefer: 'return-no-content',
      'x-ms-date': new Date(now).toUTCString(),
    },
    body: JSON.stringify(body),
  }
}

const ofRows = /^\/(\w+)/
const ofTable = /^\/Tables\('(\w+)'\)/
const inBatch = /^[A-Z]+ https:\/\/[^/]+\/(\w+)/m

function tablesOf({ name, request, response }: RecordedExchange): readonly string[] {
  const { method, path, body } = request
  if (path.startsWith('/?') || name.includes('table missing')) return []
  if (ofTable.test(path)) return response.status === 404 ? [] : [ofTable.exec(path)?.[1] ?? '']
  if (path.startsWith('/Tables')) {
    if (method === 'GET') return rowsIn(response.body).map(({ TableName }) => String(TableName))
    return response.status === 409 ? [JSON.parse(body ?? '').TableName] : []
  }
  const found = path === '/$batch' ? inBatch.exec(body ?? '') : ofRows.exec(path)
  return found?.[1] === undefined ? [] : [found[1]]
}

type Row = Readonly<Record<string, unknown>>

function rowsIn(json: string): readonly Row[] {
  const { value, ...only } = JSON.parse(annotated(json))
  return value ?? [only]
}

/** Annotates Doubles, because `JSON.parse` turns `3.0` into 3. */
function annotated(json: string): string {
  return json.replace(/"(\w+)":(-?\d+\.0)(?=[,}])/g, '"$1@odata.type":"Edm.Double","$1":$2')
}

function rowsOf({ request, response }: RecordedExchange): readonly Row[] {
  const { method, path, body } = request
  if (path.startsWith('/Tables') || path.startsWith('/?')) return []
  if (path === '/$batch') return rowsOfBatch(body ?? '', response.body)
  if (method === 'GET' && response.status === 200) {
    return rowsIn(response.body).map((row, at) => ({
      PartitionKey: 'p',
      RowKey: String(at),
      ...stored(row),
    }))
  }
  if (response.status === 409) return [JSON.parse(body ?? '')]
  const isWritten = [204, 412].includes(response.status) && path.includes('(')
  return isWritten ? [keyIn(path)] : []
}

/** Returns what is stored of a row in a response. */
function stored(row: Row): Row {
  const members = Object.entries(row).filter(
    ([name]) => !name.startsWith('odata.') && !name.startsWith('Timestamp'),
  )
  return Object.fromEntries(members)
}

/** A change with a condition needs its row, and an insert may fail because of one. */
function rowsOfBatch(body: string, response: string): readonly Row[] {
  const parts = body.split(/^--changeset.*$/m).filter((part) => part.includes(' HTTP/1.1'))
  const existing = /"value":"(\d+):The specified entity already exists/.exec(response)?.[1]
  if (existing !== undefined) {
    return [JSON.parse(/\{.*\}/.exec(parts[Number(existing)] ?? '')?.[0] ?? '')]
  }
  const isMissing = response.includes('ResourceNotFound')
  const conditional = parts.filter((part) => /^if-match:/im.test(part))
  const paths = conditional.map((part) => /^[A-Z]+ (\S+)/m.exec(part)?.[1] ?? '')
  return isMissing ? [] : [...new Set(paths)].map(keyIn)
}

function keyIn(path: string): Row {
  const literals = /\(PartitionKey='(.*)',RowKey='(.*)'\)/.exec(decodeURIComponent(path))
  const [partitionKey, rowKey] = (literals ?? []).slice(1).map((text) => text.replaceAll("''", "'"))
  return { PartitionKey: partitionKey, RowKey: rowKey }
}
