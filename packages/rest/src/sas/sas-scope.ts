import type { EntityKey } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import type { HttpRequest } from '../http/transport.ts'
import type { CalledOperation } from '../request/operation.ts'
import { checkNotAcl } from '../sign/check-not-acl.ts'
import { isInSasKeyRange, type SasKeyRange } from './sas-key-range.ts'
import { parseSasTime } from './sas-token.ts'

/** The letter of a resource type: `s` the service, `c` tables, `o` entities. */
type ResourceType = 's' | 'c' | 'o'

/** The permissions and keys that a call needs from a shared access signature. */
export interface RequestedAccess {
  readonly resourceType: ResourceType
  /** Permissions: the call needs every letter of one of these texts. */
  readonly needs: readonly string[]
  /** The table that it is about. */
  readonly table: string | undefined
  /** The key of the entity that it is about; `undefined` for a query. */
  readonly key: EntityKey | undefined
}

/** What each operation needs: a resource type, then permissions. */
const NEEDS: ReadonlyMap<string, readonly [ResourceType, ...needs: string[]]> = new Map([
  ['createTable', ['c', 'c', 'w']],
  ['deleteEntity', ['o', 'd']],
  ['deleteTable', ['c', 'd']],
  ['findEntity', ['o', 'r']],
  ['getEntity', ['o', 'r']],
  ['getServiceProperties', ['s', 'r']],
  ['getServiceStats', ['s', 'r']],
  // The reference does not say which letter a read of one table needs.
  ['getTable', ['c']],
  ['insertEntity', ['o', 'a']],
  ['insertOrMergeEntity', ['o', 'au']],
  ['insertOrReplaceEntity', ['o', 'au']],
  ['mergeEntity', ['o', 'u']],
  ['queryEntities', ['o', 'r']],
  ['queryTables', ['c', 'l']],
  ['retrieveEntity', ['o', 'r']],
  ['setServiceProperties', ['s', 'w']],
  ['updateEntity', ['o', 'u']],
])

/**
 * Determines what a call needs; each change of a batch has needs of its own.
 *
 * @param call - the operation and its input
 * @returns an empty list for an unknown operation, which only the service can judge
 */
export function requestedAccess({ operation, input }: CalledOperation): RequestedAccess[] {
  const parts = operation.parts?.(input)
  if (parts !== undefined) return parts.flatMap(requestedAccess)
  const [resourceType, ...needs] = NEEDS.get(operation.name) ?? []
  if (resourceType === undefined) return []
  const { table, key }: Partial<Pick<RequestedAccess, 'table' | 'key'>> = Object(input)
  return [{ resourceType, needs, table, key }]
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
 * Rejects a call that a token does not allow, as far as the token itself says. Only the service
 * knows what a stored policy adds.
 *
 * @param scope - what the token allows
 * @param request - the request of an attempt
 * @param now - milliseconds since 1970, UTC
 * @param call - the operation and its input; without it, only times, protocol and service are checked
 * @throws `InputError` (`OutsideSasScope`) with what the token lacks, and `AccountKeyRequired` for
 * stored access policies, which no token allows
 */
export function checkSasScope(
  scope: SasScope,
  request: HttpRequest,
  now: number,
  call: CalledOperation | undefined,
): void {
  checkTime(scope, now)
  if (scope.protocol === 'https' && !request.origin.startsWith('https:')) {
    reject('protocol', `it allows only https, and ${request.origin} uses plain http`)
  }
  if (scope.services !== undefined && !scope.services.includes('t')) {
    reject('service', `it allows the services '${scope.services}', without 't' for tables`)
  }
  checkNotAcl(request, 'shared access signature')
  for (const access of call === undefined ? [] : requestedAccess(call)) {
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
    reject('time', `it expired at ${new Date(expiry).toISOString()}`)
  }
  if (start !== undefined && now + CLOCK_SKEW < start) {
    reject('time', `it starts at ${new Date(start).toISOString()}`)
  }
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
  if (table !== undefined && table.toLowerCase() !== scope.table.toLowerCase()) {
    reject('table', `it allows only the table '${scope.table}', and this call is about '${table}'`)
  }
}

function checkPermission({ permissions }: SasScope, { needs }: RequestedAccess): void {
  if (permissions === undefined || needs.length === 0) return
  if (needs.some((letters) => [...letters].every((letter) => permissions.includes(letter)))) return
  const needed = needs.map((letters) => `'${letters}'`).join(' or ')
  reject('permission', `its permissions are '${permissions}', and this call needs ${needed}`)
}

function checkKey({ range }: SasScope, { key }: RequestedAccess): void {
  if (key === undefined || isInSasKeyRange(range, key)) return
  reject('keyRange', 'the key is outside its range of keys')
}
