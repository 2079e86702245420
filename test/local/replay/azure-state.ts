import type { RecordedExchange } from './recording.ts'

/**
 * Returns the requests that create the state in which an exchange was recorded, as far as its
 * response shows it.
 */
export function stateBefore(conversation: readonly RecordedExchange[]): RecordedExchange[] {
  const [first, ...others] = conversation
  if (first === undefined) return []
  const tables = conversation.flatMap((exchange) => tablesOf(exchange))
  // A longer conversation writes the rows that it reads.
  const rows = others.length > 0 ? [] : rowsOf(first)
  return [
    ...[...new Set(tables)].map((name) => post('/Tables', { TableName: name })),
    ...rows.map((row) => post(`/${tables[0]}`, row)),
  ]
}

function post(path: string, body: object): RecordedExchange {
  return {
    name: `to prepare ${path}`,
    request: {
      method: 'POST',
      host: 'myaccount.table.core.windows.net',
      path,
      headers: { prefer: 'return-no-content' },
      body: JSON.stringify(body),
    },
    response: { status: 204, headers: {}, body: '' },
  }
}

const ofTable = /^\/Tables\('(\w+)'\)/
const ofRows = /^\/(\w+)/
const inBatch = /^[A-Z]+ (?:https:\/\/[^/]+)?\/(\w+)/m

function tablesOf({ request, response }: RecordedExchange): readonly string[] {
  const { method, path, body } = request
  const isMissing = response.status === 404 || response.body.includes('"TableNotFound"')
  if (path.startsWith('/?')) return []
  if (path.startsWith('/Tables?') && method === 'GET') return listedTables(response)
  if (ofTable.test(path)) return isMissing ? [] : [ofTable.exec(path)?.[1] ?? '']
  if (path.startsWith('/Tables')) {
    return method === 'POST' && response.status === 409 ? [JSON.parse(body ?? '').TableName] : []
  }
  if (response.body.includes('"TableNotFound"')) return []
  const name = path === '/$batch' ? inBatch.exec(body ?? '')?.[1] : ofRows.exec(path)?.[1]
  return name === undefined || (isMissing && path.includes('comp=acl')) ? [] : [name]
}

/** Returns the tables of a page, and the next table if the page has a token. */
function listedTables({ body, headers }: RecordedExchange['response']): readonly string[] {
  const names: string[] = JSON.parse(body).value.map((one: { TableName: string }) => one.TableName)
  return headers['x-ms-continuation-NextTableName'] === undefined ? names : [...names, 'zzz']
}

type Row = Readonly<Record<string, unknown>>

function rowsOf({ name, request, response }: RecordedExchange): readonly Row[] {
  if (name === 'batch, 4 inserts, 4th exists') return [{ PartitionKey: 'p', RowKey: 'there' }]
  if (request.method === 'GET' && response.status === 200 && !request.path.includes('comp=')) {
    return readRows(request.path, response)
  }
  if (request.path.startsWith('/Tables')) return []
  if (response.status === 409) return [JSON.parse(request.body ?? '')]
  const isWritten = [204, 412].includes(response.status) && /^\/\w+\(/.test(request.path)
  return isWritten ? [keyIn(request.path)] : []
}

/** Returns the rows in a response, and the row in its continuation token. */
function readRows(path: string, { body, headers }: RecordedExchange['response']): readonly Row[] {
  const response = JSON.parse(annotated(body))
  const rows: Row[] = response.value ?? [response]
  if (rows.some((row) => 'TableName' in row)) return []
  const keyed = rows.map((row, at) => ({
    PartitionKey: 'p',
    RowKey: String(at).padStart(4, '0'),
    ...keyIn(path),
    ...row,
  }))
  const partitionKey = headers['x-ms-continuation-NextPartitionKey']
  const rowKey = headers['x-ms-continuation-NextRowKey']
  if (partitionKey === undefined || rowKey === undefined) return keyed
  return [...keyed, { PartitionKey: decodeToken(partitionKey), RowKey: decodeToken(rowKey) }]
}

/** Annotates Doubles, because `JSON.parse` turns `3.0` into 3. */
function annotated(json: string): string {
  return json.replace(/"(\w+)":(-?\d+\.0)(?=[,}])/g, '"$1@odata.type":"Edm.Double","$1":$2')
}

/** The form is: `1!`, length, `!`, base64 with `-` instead of `=`. */
function decodeToken(part: string | number): string {
  const encoded = String(part).split('!')[2] ?? ''
  return Buffer.from(encoded.replaceAll('-', '='), 'base64').toString()
}

function keyIn(path: string): Row {
  const literals = /\(PartitionKey='(.*)',RowKey='(.*)'\)/.exec(decodeURIComponent(path))
  const [partitionKey, rowKey] = (literals ?? []).slice(1).map((text) => text.replaceAll("''", "'"))
  return literals === null ? {} : { PartitionKey: partitionKey, RowKey: rowKey }
}
