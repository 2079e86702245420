import type { EntityKey } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import { type HttpMethod, type HttpRequest, isRead } from '../http/transport.ts'
import { entityName } from '../request/resource.ts'
import { checkNotAcl } from '../sign/check-not-acl.ts'
import { isInSasKeyRange, type SasKeyRange } from './sas-key-range.ts'
import { parseSasTime } from './sas-token.ts'

/** The permissions and keys that a request needs from a shared access signature. */
export interface RequestedAccess {
  /** The letter of its resource type: `s` the service, `c` tables, `o` entities. */
  readonly resourceType: 's' | 'c' | 'o'
  /** The table whose entities it is about. */
  readonly table?: string
  /** Permissions: the request needs every letter of one of these texts. Empty when unknown. */
  readonly needs: readonly string[]
  /** Returns the key of the entity that it is about; `undefined` for a query. */
  key?(): EntityKey | undefined
}

const ENTITY = /^(\w+)\(PartitionKey='((?:[^']|'')*)',RowKey='((?:[^']|'')*)'\)$/
const ENTITY_SET = /^(\w+)(?:\(\))?$/
const SERVICE = /(?:^|&)restype=service(?:&|$)/
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
  if (SERVICE.test(request.query)) {
    return [{ resourceType: 's', needs: [isRead(request) ? 'r' : 'w'] }]
  }
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
  return [{ resourceType: 'o', table, needs, key: () => keyOf(entity, request.body) }]
}

function entityPermission(request: RequestPart, hasKey: boolean): string {
  const { method, headers } = request
  if (isRead(request)) return 'r'
  if ((headers['x-http-method'] ?? method) === 'DELETE') return 'd'
  if (!hasKey) return 'a'
  return headers['if-match'] === undefined ? 'au' : 'u'
}

function keyOf(path: RegExpExecArray | null, body = ''): EntityKey | undefined {
  if (path === null) return keyIn(body)
  const [, , partitionKey = '', rowKey = ''] = path
  return { partitionKey: partitionKey.replaceAll("''", "'"), rowKey: rowKey.replaceAll("''", "'") }
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
const HEADER = /^([\w-]+): (.*)$/

/**
 * Reads the requests in the body of an entity group transaction that this package encoded.
 *
 * @param body - the body
 */
export function readParts(body: string): readonly RequestPart[] {
  const parts: RequestPart[] = []
  const lines = body.split('\r\n').values()
  for (const line of lines) {
    const [, method, url = ''] = REQUEST_LINE.exec(line) ?? []
    if (method === undefined) continue
    const headers: Record<string, string> = {}
    for (let header = HEADER.exec(lines.next().value ?? ''); header !== null; ) {
      const [, name = '', value = ''] = header
      headers[name.toLowerCase()] = value
      header = HEADER.exec(lines.next().value ?? '')
    }
    const [path = '', query = ''] = url.replace(/^https?:\/\/[^/]+/, '').split('?')
    // This package encoded the verb, so it is one of them. The line after the headers was empty.
    parts.push({ method: method as HttpMethod, path, query, headers, body: lines.next().value })
  }
  return parts
}

/** The parts that a shared access signature lacks for a call. */
export type SasLack =
  | 'keyRange'
  | 'permission'
  | 'protocol'
  | 'resourceType'
  | 'service'
  | 'table'
  | 'time'

/**
 * The permissions and keys of a token. A part that it leaves out is `undefined`; a stored policy
 * may set it.
 */
export interface SasScope {
  /** When the token becomes valid and when it expires: milliseconds since 1970, UTC. */
  readonly start: number | undefined
  readonly expiry: number | undefined
  /** The letters of the permissions. */
  readonly permissions: string | undefined
  /** The protocols, as in `spr`. */
  readonly protocol: string | undefined
  /** The table of a table SAS. */
  readonly table: string | undefined
  /** The keys of a table SAS. */
  readonly range: SasKeyRange
  /** The letters of the services and resource types of an account SAS. */
  readonly services: string | undefined
  readonly resourceTypes: string | undefined
}

/**
 * Reads the permissions and keys of a token, without checks: the service may know later forms.
 *
 * @param token - a percent-encoded query string without `?`
 */
export function readSasScope(token: string): SasScope {
  const parameters = new URLSearchParams(token)
  const value = (name: string): string | undefined => parameters.get(name) ?? undefined
  return Object.freeze({
    start: parseSasTime(value('st')),
    expiry: parseSasTime(value('se')),
    permissions: value('sp'),
    protocol: value('spr'),
    table: value('tn'),
    range: { from: boundOf(value('spk'), value('srk')), to: boundOf(value('epk'), value('erk')) },
    services: value('ss'),
    resourceTypes: value('srt'),
  })
}

function boundOf(
  partitionKey: string | undefined,
  rowKey: string | undefined,
): SasKeyRange['from'] {
  return partitionKey === undefined ? undefined : { partitionKey, rowKey }
}

/** The difference between clocks that the service accepts, so a token may seem too early. */
const CLOCK_SKEW = 15 * 60_000

const RESOURCE_TYPES = { s: 'the service', c: 'tables', o: 'entities' } as const

/**
 * Rejects a request that a token does not allow, as far as the token itself says. Only the service
 * knows what a stored policy adds.
 *
 * @param scope - what the token allows
 * @param request - the request
 * @param now - milliseconds since 1970, UTC
 * @throws `InputError` (`OutsideSasScope`) with what the token lacks, and `AccountKeyRequired` for
 * stored access policies, which no token allows
 */
export function checkSasScope(scope: SasScope, request: HttpRequest, now: number): void {
  checkTime(scope, now)
  if (scope.protocol === 'https' && !request.origin.startsWith('https:')) {
    reject('protocol', `it allows only https, and ${request.origin} uses plain http`)
  }
  if (scope.services !== undefined && !scope.services.includes('t')) {
    reject('service', `it allows the services '${scope.services}', without 't' for tables`)
  }
  checkNotAcl(request, 'shared access signature')
  for (const access of requestedAccess(request)) {
    checkResource(scope, access)
    checkPermission(scope, access)
    checkKey(scope, access)
  }
}

function reject(missing: SasLack, fault: string): never {
  throw restInputError({
    code: 'OutsideSasScope',
    message: `The shared access signature does not allow this call: ${fault}. Get a token that does.`,
    details: { missing },
  })
}

function checkTime({ start, expiry }: SasScope, now: number): void {
  if (expiry !== undefined && now >= expiry) {
    reject('time', `it expired at ${againstClock(expiry, now)}`)
  }
  if (start !== undefined && now + CLOCK_SKEW < start) {
    reject('time', `it starts at ${againstClock(start, now)}`)
  }
}

/**
 * Writes a time of a token beside the clock that it was compared with: the clock of a machine may be wrong.
 *
 * @param time - milliseconds since 1970, UTC
 * @param now - the same
 */
export function againstClock(time: number, now: number): string {
  return `${new Date(time).toISOString()}, and this machine's clock says ${new Date(now).toISOString()}`
}

function checkResource(scope: SasScope, { resourceType, table }: RequestedAccess): void {
  const asked = RESOURCE_TYPES[resourceType]
  if (scope.resourceTypes !== undefined && !scope.resourceTypes.includes(resourceType)) {
    reject(
      'resourceType',
      `it allows the resource types '${scope.resourceTypes}', and ${asked} need '${resourceType}'`,
    )
  }
  if (scope.table === undefined) return
  if (resourceType !== 'o') {
    reject(
      'resourceType',
      `it allows only the entities of one table, and this call is about ${asked}`,
    )
  }
  if (table?.toLowerCase() !== scope.table.toLowerCase()) {
    reject('table', `it allows only the table '${scope.table}', and this call is about '${table}'`)
  }
}

function checkPermission({ permissions }: SasScope, { needs }: RequestedAccess): void {
  if (permissions === undefined || needs.length === 0) return
  if (needs.some((letters) => [...letters].every((letter) => permissions.includes(letter)))) return
  const needed = needs.map((letters) => `'${letters}'`).join(' or ')
  reject('permission', `its permissions are '${permissions}', and this call needs ${needed}`)
}

function checkKey({ range }: SasScope, access: RequestedAccess): void {
  if (range.from === undefined && range.to === undefined) return
  const key = access.key?.()
  if (key === undefined || isInSasKeyRange(range, key)) return
  // It may be one of a hundred in a batch, or the marker of an exact write.
  const name = entityName({ table: String(access.table), key })
  reject('keyRange', `${name} is outside its range of keys`)
}
