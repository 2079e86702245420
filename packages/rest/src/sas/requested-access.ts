import type { EntityKey } from '@rowkey/odata'
import type { HttpMethod, HttpRequest } from '../http/transport.ts'

/** What a request needs, in terms of a shared access signature. */
export interface RequestedAccess {
  /** The letter of its resource type: `s` the service, `c` tables, `o` entities. */
  readonly resourceType: 's' | 'c' | 'o'
  /** The table whose entities it is about. */
  readonly table?: string
  /** Permissions: the request needs every letter of one of these texts. Empty when unknown. */
  readonly needs: readonly string[]
  /** Whether it is about the stored access policies of a table. */
  readonly isAcl?: true
  /** Returns the key of the entity that it is about; absent for a query. */
  key?(): EntityKey | undefined
}

const ENTITY = /^(\w+)\(PartitionKey='((?:[^']|'')*)',RowKey='((?:[^']|'')*)'\)$/
const ENTITY_SET = /^(\w+)(?:\(\))?$/
const SERVICE = /(?:^|&)restype=service(?:&|$)/
const ACL = /(?:^|&)comp=acl(?:&|$)/
const TABLES = /^tables(?:\('.*'\))?$/i

/**
 * Reads what a request needs; each part of a batch has needs of its own.
 *
 * @param request - the request of an operation
 * @returns an empty list for an unknown request, which only the service can judge
 */
export function requestedAccess(request: RequestPart): readonly RequestedAccess[] {
  const name = lastSegment(request.path)
  if (name === '$batch') return readParts(request.body ?? '').flatMap(requestedAccess)
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (SERVICE.test(request.query)) {
    return [{ resourceType: 's', needs: [reads ? 'r' : 'w'] }]
  }
  if (ACL.test(request.query)) return [{ resourceType: 'c', needs: [], isAcl: true }]
  if (TABLES.test(name)) return [{ resourceType: 'c', needs: tablePermissions(request, name) }]
  return entityAccess(request, name)
}

function lastSegment(path: string): string {
  const segment = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

function tablePermissions({ method }: RequestPart, name: string): readonly string[] {
  if (method === 'POST') return ['c', 'w']
  if (method === 'DELETE') return ['d']
  // The reference does not say which letter a read of one table needs.
  return name.endsWith(')') ? [] : ['l']
}

function entityAccess(request: RequestPart, name: string): readonly RequestedAccess[] {
  const entity = ENTITY.exec(name)
  const table = entity?.[1] ?? ENTITY_SET.exec(name)?.[1]
  if (table === undefined) return []
  const needs = [entityPermission(request, entity !== null)]
  if (entity === null && request.method !== 'POST') return [{ resourceType: 'o', table, needs }]
  return [{ resourceType: 'o', table, needs, key: () => keyOf(entity, request.body) }]
}

function entityPermission({ method, headers }: RequestPart, hasKey: boolean): string {
  const verb = (method === 'POST' && headers['x-http-method']) || method
  if (verb === 'GET' || verb === 'HEAD') return 'r'
  if (verb === 'DELETE') return 'd'
  if (!hasKey) return 'a'
  return headers['if-match'] === undefined ? 'au' : 'u'
}

function keyOf(path: RegExpExecArray | null, body: string | undefined): EntityKey | undefined {
  const [, , partitionKey, rowKey] = path ?? []
  if (partitionKey !== undefined && rowKey !== undefined) {
    return {
      partitionKey: partitionKey.replaceAll("''", "'"),
      rowKey: rowKey.replaceAll("''", "'"),
    }
  }
  return body === undefined ? undefined : keyIn(body)
}

function keyIn(body: string): EntityKey | undefined {
  try {
    const { PartitionKey, RowKey }: Record<string, unknown> = JSON.parse(body)
    const isKey = typeof PartitionKey === 'string' && typeof RowKey === 'string'
    return isKey ? { partitionKey: PartitionKey, rowKey: RowKey } : undefined
  } catch {
    return undefined
  }
}

/** A request, or a part of an entity group transaction. */
export type RequestPart = Omit<HttpRequest, 'origin'>

const REQUEST_LINE = /^(\w+) (\S+) HTTP\/1\.1$/

/**
 * Reads the requests in the body of an entity group transaction that this package encoded. Only the
 * lines between them start with two dashes.
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
  // This package encoded the verb, so it is one of them.
  return { method: method as HttpMethod, path, query, headers, body: lines[blank + 1] }
}

function readHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
