import { restInputError } from '../errors/codes.ts'

import type { HttpRequest } from '../http/transport.ts'
import { type RequestedAccess, requestedAccess } from './requested-access.ts'
import { isInSasKeyRange, type SasKeyRange } from './sas-key-range.ts'
import { parseSasTime } from './sas-parameters.ts'

/** What a shared access signature lacks for a call. */
export type SasLack =
  | 'keyRange'
  | 'permission'
  | 'protocol'
  | 'resourceType'
  | 'service'
  | 'table'
  | 'time'

/** What a token says that it allows. What it leaves out is `undefined`, and a policy may say it. */
export interface SasScope {
  /** Where the signature begins and ends to be good: milliseconds since 1970, UTC. */
  readonly start: number | undefined
  readonly expiry: number | undefined
  /** The letters of what may be done. */
  readonly permissions: string | undefined
  /** The protocols, as `spr` has them. */
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
 * Reads what a token allows. Nothing is checked: the service may know forms that came later.
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

/** As far as the service lets two clocks differ; so a token that seems too early is not yet refused. */
const CLOCK_SKEW = 15 * 60_000

const RESOURCE_TYPES = { s: 'the service', c: 'tables', o: 'entities' } as const

/**
 * Refuses a request that a token cannot be enough for, as far as the token says so itself; what it
 * leaves to a stored policy only the service knows.
 *
 * @param scope - what the token allows
 * @param request - what is to be sent
 * @param now - milliseconds since 1970, UTC
 * @throws {@link InputError} (`OutsideSasScope`) naming what the token lacks
 * @throws {@link InputError} (`AccountKeyRequired`) for stored access policies, which no token opens
 */
export function checkSasScope(scope: SasScope, request: HttpRequest, now: number): void {
  checkTime(scope, now)
  if (scope.protocol === 'https' && !request.origin.startsWith('https:')) {
    refuse('protocol', `it is for https only, and ${request.origin} is plain http`)
  }
  if (scope.services !== undefined && !scope.services.includes('t')) {
    refuse('service', `it is for the services '${scope.services}', without 't' for tables`)
  }
  for (const access of requestedAccess(request)) {
    checkResource(scope, access)
    checkPermission(scope, access)
    checkKey(scope, access)
  }
}

function refuse(missing: SasLack, fault: string): never {
  throw restInputError({
    code: 'OutsideSasScope',
    message: `The shared access signature does not allow this: ${fault}. Get a token that does.`,
    details: { missing },
  })
}

function checkTime({ start, expiry }: SasScope, now: number): void {
  if (expiry !== undefined && now >= expiry) {
    refuse('time', `it expired at ${new Date(expiry).toISOString()}`)
  }
  if (start !== undefined && now + CLOCK_SKEW < start) {
    refuse('time', `it starts at ${new Date(start).toISOString()}`)
  }
}

function checkResource(scope: SasScope, { isAcl, resourceType, table }: RequestedAccess): void {
  if (isAcl) {
    throw restInputError({
      code: 'AccountKeyRequired',
      message:
        'Stored access policies are read and set with the account key only: no shared access signature allows it.',
    })
  }
  const asked = RESOURCE_TYPES[resourceType]
  if (scope.resourceTypes !== undefined && !scope.resourceTypes.includes(resourceType)) {
    refuse(
      'resourceType',
      `it is for '${scope.resourceTypes}', and ${asked} take '${resourceType}'`,
    )
  }
  if (scope.table === undefined) return
  if (resourceType !== 'o') {
    refuse('resourceType', `it is for the entities of one table, and this is about ${asked}`)
  }
  if (table !== undefined && table.toLowerCase() !== scope.table.toLowerCase()) {
    refuse('table', `it is for the table '${scope.table}', and this is about '${table}'`)
  }
}

function checkPermission({ permissions }: SasScope, { needs }: RequestedAccess): void {
  if (permissions === undefined || needs.length === 0) return
  if (needs.some((letters) => [...letters].every((letter) => permissions.includes(letter)))) return
  const needed = needs.map((letters) => `'${letters}'`).join(' or ')
  refuse('permission', `its permissions are '${permissions}', and this takes ${needed}`)
}

function checkKey({ range }: SasScope, access: RequestedAccess): void {
  if (range.from === undefined && range.to === undefined) return
  const key = access.key?.()
  if (key === undefined || isInSasKeyRange(range, key)) return
  refuse('keyRange', 'the key is outside of its range of keys')
}
