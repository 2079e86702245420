import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { neededPermission } from './needed-permission.ts'

/**
 * Refuses a call that its shared access signature or its token does not cover. A batch as such needs nothing:
 * each operation in it is checked by itself. Which rows are covered is another question.
 *
 * @throws ServiceFault AuthorizationFailure, AuthorizationResourceTypeMismatch,
 * AuthorizationPermissionMismatch, or to a token ResourceNotFound
 */
export function checkPermission(call: ServiceCall): void {
  const { grant, resource } = call
  if (grant.kind === 'key' || resource.kind === 'batch') return
  const needed = neededPermission(call)
  if (grant.kind === 'bearer') {
    // As recorded: to a token, the access policies of a table are not there at all.
    if (needed === undefined) throw new ServiceFault('ResourceNotFound')
    return
  }
  if (needed === undefined) throw new ServiceFault('AuthorizationFailure')
  if (grant.kind === 'account') {
    if (!grant.resourceTypes.includes(needed.type)) {
      throw new ServiceFault('AuthorizationResourceTypeMismatch')
    }
  } else if (needed.type !== 'o' || tableOf(call) !== grant.table) {
    throw new ServiceFault('AuthorizationFailure')
  }
  const isAllowed = needed.letters.every((group) =>
    Array.from(group).some((letter) => grant.permissions.includes(letter)),
  )
  if (!isAllowed) throw new ServiceFault('AuthorizationPermissionMismatch')
}

function tableOf({ resource }: ServiceCall): string | undefined {
  return 'table' in resource ? resource.table.toLowerCase() : undefined
}
