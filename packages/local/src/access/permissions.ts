import type { EntityKey } from '@rowkey/odata'
import { EVERYTHING, holdsKey, type KeyRange } from '../keys/key-range.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { Grant } from '../request/grant.ts'
import type { ServiceRequest } from '../request/service-request.ts'

/**
 * Refuses a call that its shared access signature or its token does not cover. A batch as such needs nothing:
 * each operation in it is checked by itself. Which rows are covered is another question.
 *
 * @throws Rejection AuthorizationFailure, AuthorizationResourceTypeMismatch,
 * AuthorizationPermissionMismatch, or to a token ResourceNotFound
 */
export function checkPermission(call: ServiceRequest): void {
  const { grant, resource } = call
  if (grant.kind === 'key' || resource.kind === 'batch') return
  const needed = neededPermission(call)
  if (grant.kind === 'bearer') {
    // As recorded: to a token, the access policies of a table are not there at all.
    if (needed === undefined) throw new Rejection('ResourceNotFound')
    return
  }
  if (needed === undefined) throw new Rejection('AuthorizationFailure')
  if (grant.kind === 'account') {
    if (!grant.resourceTypes.includes(needed.type)) {
      throw new Rejection('AuthorizationResourceTypeMismatch')
    }
  } else if (needed.type !== 'o' || tableOf(call) !== grant.table) {
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

/** What a shared access signature must allow for a call. */
export interface NeededPermission {
  /** The service itself, containers (tables), or objects (rows). */
  readonly type: 's' | 'c' | 'o'
  /** All of these are needed; of a group such as `cw` any one letter will do. */
  readonly letters: readonly string[]
}

/** What a call needs; `undefined` when no shared access signature can ever allow it. */
export function neededPermission(call: ServiceRequest): NeededPermission | undefined {
  if (call.query.get('comp') === 'acl') return undefined
  switch (call.resource.kind) {
    case 'account':
      return { type: 's', letters: [call.method === 'GET' ? 'r' : 'w'] }
    case 'tables':
      return { type: 'c', letters: [call.method === 'GET' ? 'l' : 'cw'] }
    case 'table':
      return { type: 'c', letters: [call.method === 'GET' ? 'l' : 'd'] }
    case 'entities':
    case 'entity':
      return { type: 'o', letters: entityLetters(call) }
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

/** The rows of its table that a grant is for. */
export function allowedRows(grant: Grant): KeyRange {
  return grant.kind === 'table' ? grant.range : EVERYTHING
}

/**
 * Refuses a write to a row outside of the grant. A read of such a row finds nothing instead.
 *
 * @throws Rejection AuthorizationFailure
 */
export function checkRowAllowed(grant: Grant, key: EntityKey): void {
  if (!holdsKey(allowedRows(grant), key)) throw new Rejection('AuthorizationFailure')
}
