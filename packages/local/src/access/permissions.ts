import type { EntityKey } from '@rowkey/odata'
import { EVERYTHING, holdsKey, type KeyRange } from '../keys/key-range.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { Grant, ServiceRequest } from '../request/service-request.ts'

/**
 * Rejects a request that its shared access signature or token does not cover. A batch itself needs
 * no permission: each operation in it is checked by itself. {@link checkRowAllowed} checks the
 * rows.
 *
 * @throws Rejection AuthorizationFailure, AuthorizationResourceTypeMismatch,
 * AuthorizationPermissionMismatch, or for a token ResourceNotFound
 */
export function checkPermission(request: ServiceRequest): void {
  const { grant, resource } = request
  if (grant.kind === 'key' || resource.kind === 'batch') return
  const needed = neededPermission(request)
  if (grant.kind === 'bearer') {
    // As recorded: for a token, the access policies of a table do not exist.
    if (needed === undefined) throw new Rejection('ResourceNotFound')
    return
  }
  if (needed === undefined) throw new Rejection('AuthorizationFailure')
  if (grant.kind === 'account') {
    if (!grant.resourceTypes.includes(needed.type)) {
      throw new Rejection('AuthorizationResourceTypeMismatch')
    }
  } else if (needed.type !== 'o' || tableOf(request) !== grant.table) {
    throw new Rejection('AuthorizationFailure')
  }
  const isAllowed = needed.letters.every((group) =>
    Array.from(group).some((letter) => grant.permissions.includes(letter)),
  )
  if (!isAllowed) throw new Rejection('AuthorizationPermissionMismatch')
}

function tableOf({ resource }: ServiceRequest): string | undefined {
  return 'table' in resource ? resource.table.toLowerCase() : undefined
}

/** The permission that a request needs from a shared access signature. */
interface NeededPermission {
  /** The service itself, containers (tables), or objects (rows). */
  readonly type: 's' | 'c' | 'o'
  /** All of these are required; of a group such as `cw`, one letter is enough. */
  readonly letters: readonly string[]
}

/** Returns the permission that a request needs; `undefined` when no signature can give it. */
export function neededPermission(request: ServiceRequest): NeededPermission | undefined {
  if (request.query.get('comp') === 'acl') return undefined
  switch (request.resource.kind) {
    case 'account':
      return { type: 's', letters: [request.method === 'GET' ? 'r' : 'w'] }
    case 'tables':
      return { type: 'c', letters: [request.method === 'GET' ? 'l' : 'cw'] }
    case 'table':
      return { type: 'c', letters: [request.method === 'GET' ? 'l' : 'd'] }
    case 'entities':
    case 'entity':
      return { type: 'o', letters: entityLetters(request) }
    case 'batch':
      return undefined
  }
}

function entityLetters({ method, headers }: ServiceRequest): readonly string[] {
  switch (method) {
    case 'GET':
      return ['r']
    case 'POST':
      return ['a']
    case 'DELETE':
      return ['d']
    default:
      return headers['if-match'] === undefined ? ['a', 'u'] : ['u']
  }
}

/** Returns the rows that a grant covers. */
export function allowedRows(grant: Grant): KeyRange {
  return grant.kind === 'table' ? grant.range : EVERYTHING
}

/**
 * Rejects a write to a row outside the grant. A read of one finds nothing.
 *
 * @throws Rejection AuthorizationFailure
 */
export function checkRowAllowed(grant: Grant, key: EntityKey): void {
  if (!holdsKey(allowedRows(grant), key)) throw new Rejection('AuthorizationFailure')
}
