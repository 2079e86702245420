import type { EntityKey } from '@rowkey/odata'
import {
  type Change,
  createTable,
  deleteEntity,
  deleteTable,
  type EntityWrite,
  entityGroupTransaction,
  getEntity,
  getServiceProperties,
  getServiceStats,
  getTable,
  getTableAcl,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  type Operation,
  queryEntities,
  queryTables,
  setServiceProperties,
  setTableAcl,
  updateEntity,
} from '@rowkey/rest'

/** A recorded request of any client, and its response. */
export interface RecordedExchange {
  readonly name: string
  readonly service?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string | number>>
    readonly body: string | null
  }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string | number>>
    readonly body: string
  }
}

type RecordedRequest = RecordedExchange['request']

/** The operation of a recorded request, and an input that leads to its response. */
export interface RecordedCall {
  readonly operation: Operation<never, unknown>
  readonly input: unknown
}

const TABLE = 'people'
const WRITE: EntityWrite = { table: TABLE, key: { partitionKey: 'p', rowKey: 'r' }, body: '{}' }

const ENTITY = /^\w+\((?:PartitionKey|RowKey)='.*', ?(?:PartitionKey|RowKey)='.*'\)$/s
const PART = /^(?:POST|PUT|PATCH|MERGE|DELETE|GET) .+ HTTP\/1\.1/gm

/**
 * Finds the call of a recorded request. Some clients sent requests that Rowkey rejects; names and bodies
 * that do not affect the response are therefore made up.
 *
 * @param basePath - the path before each resource
 * @returns `undefined` when no operation sends this request
 */
export function recordedCall(
  { request, response }: RecordedExchange,
  basePath: string,
): RecordedCall | undefined {
  const [path = '', query = ''] = request.path.split(/\?(.*)/s)
  const resource = decodeURIComponent(path.slice(basePath.length + 1))
  const parameters = new URLSearchParams(query)
  const call =
    batchCall(request, response.body, resource) ??
    serviceCall(request, resource, parameters) ??
    tableCall(request, resource, parameters) ??
    entityCall({ request, response }, resource, parameters)
  // Each operation has an input of its own, and the one beside it is of that kind.
  return call && { operation: call[0] as Operation<never, unknown>, input: call[1] }
}

type Call = readonly [operation: unknown, input: unknown]

function batchCall(
  { method, body }: RecordedRequest,
  response: string,
  resource: string,
): Call | undefined {
  if (resource !== '$batch' || method !== 'POST') return undefined
  const lines = body?.match(PART) ?? []
  const failed = /"value":"(\d+):/.exec(response)?.[1] ?? 0
  const count = Math.max(lines.length, Number(failed) + 1)
  const changes = Array.from({ length: count }, (_, index) => changeOf(lines[index] ?? '', index))
  return [entityGroupTransaction, { table: TABLE, changes }]
}

function serviceCall(
  { method }: RecordedRequest,
  resource: string,
  parameters: URLSearchParams,
): Call | undefined {
  if (resource !== '' || parameters.get('restype') !== 'service') return undefined
  if (parameters.get('comp') === 'stats') return [getServiceStats, {}]
  if (parameters.get('comp') !== 'properties') return undefined
  return method === 'GET' ? [getServiceProperties, {}] : [setServiceProperties, {}]
}

function tableCall(
  { method }: RecordedRequest,
  resource: string,
  parameters: URLSearchParams,
): Call | undefined {
  const isOne = /^Tables\('\w+'\)$/.test(resource)
  if (isOne && method === 'GET') return [getTable, { table: TABLE }]
  if (isOne && method === 'DELETE') return [deleteTable, { table: TABLE }]
  if (resource === 'Tables' && method === 'POST') return [createTable, { table: TABLE }]
  if (/^Tables(?:\(\))?$/.test(resource)) return method === 'GET' ? [queryTables, {}] : undefined
  if (parameters.get('comp') !== 'acl') return undefined
  return method === 'GET'
    ? [getTableAcl, { table: TABLE }]
    : [setTableAcl, { table: TABLE, policies: [] }]
}

function entityCall(
  { request: { method, headers, body }, response }: Pick<RecordedExchange, 'request' | 'response'>,
  resource: string,
  parameters: URLSearchParams,
): Call | undefined {
  const select = parameters
    .get('$select')
    ?.split(',')
    .filter((name) => name !== '')
  if (/^\w+(?:\(\))?$/.test(resource)) {
    if (method === 'GET') return [queryEntities, { table: TABLE, select }]
    const echo = header(headers, 'prefer') !== 'return-no-content'
    return method === 'POST'
      ? [insertEntity, { ...WRITE, key: insertedKey(body, response), echo }]
      : undefined
  }
  if (!ENTITY.test(resource)) return undefined
  const etag = header(headers, 'if-match')
  const write = { ...WRITE, etag }
  switch (header(headers, 'x-http-method') ?? method) {
    case 'GET':
      return [getEntity, { table: TABLE, key: keyInPath(resource), select }]
    case 'DELETE':
      return [deleteEntity, { ...write, etag: etag ?? '*' }]
    case 'PUT':
      return [etag ? updateEntity : insertOrReplaceEntity, write]
    case 'MERGE':
    case 'PATCH':
      return [etag ? mergeEntity : insertOrMergeEntity, write]
    default:
      return undefined
  }
}

/** One change of a batch; only its verb is known. */
function changeOf(line: string, index: number): Change {
  const key = { partitionKey: 'p', rowKey: String(index) }
  const input: EntityWrite = { ...WRITE, key, etag: '*', echo: true }
  if (line.startsWith('GET')) {
    return { operation: getEntity, input: { ...input, key: keyInPath(decodeURIComponent(line)) } }
  }
  return { operation: line.startsWith('POST') ? insertEntity : deleteEntity, input }
}

/** The keys that a path asks for, in either order. */
function keyInPath(path: string): EntityKey {
  const keyOf = (name: string) =>
    new RegExp(`${name}='((?:[^']|'')*)'`).exec(path)?.[1]?.replaceAll("''", "'") ?? ''
  return { partitionKey: keyOf('PartitionKey'), rowKey: keyOf('RowKey') }
}

/** The inserted keys, from the request or else from the response. */
function insertedKey(
  body: string | null,
  { status, body: responseBody }: RecordedExchange['response'],
): EntityKey {
  if (status !== 201) return WRITE.key
  return keyInBody(body?.includes('PartitionKey') ? body : responseBody)
}

/** The keys of the entity in a body; some bodies were cut or are not JSON. */
function keyInBody(body: string): EntityKey {
  const keyOf = (name: string) => new RegExp(`"${name}": ?("(?:[^"\\\\]|\\\\.)*")`).exec(body)?.[1]
  return {
    partitionKey: JSON.parse(keyOf('PartitionKey') ?? '"p"'),
    rowKey: JSON.parse(keyOf('RowKey') ?? '"r"'),
  }
}

function header(headers: RecordedRequest['headers'], name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return found && String(found[1])
}
