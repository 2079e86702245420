import type { AccessPolicy } from '@rowkey/rest'
import { checkArray, checkMembers } from '../errors/check-arguments.ts'

/** A stored access policy with its id. */
export interface SignedIdentifier {
  /** The id: 1 to 64 characters. */
  id: string
  /** The permissions of the policy. */
  accessPolicy?: {
    /** When it begins. */
    start?: Date
    /** When it ends. */
    expiry?: Date
    /** Its letters: `raud`. */
    permission?: string
  }
}

/**
 * Turns the official client's policies into Rowkey's.
 *
 * @throws InputError for a value that is not a list of policies, and for an unknown member
 */
export function toPolicies(identifiers: readonly SignedIdentifier[]): AccessPolicy[] {
  checkArray(identifiers, 'The policies of setAccessPolicy')
  return identifiers.map((identifier, index) => {
    const place = `policy ${index} of setAccessPolicy`
    checkMembers(identifier, ['id', 'accessPolicy'], place)
    const { id, accessPolicy = {} } = identifier
    checkMembers(accessPolicy, ['start', 'expiry', 'permission'], `accessPolicy of ${place}`)
    const { start, expiry, permission: permissions } = accessPolicy
    return { id, start, expiry, permissions }
  })
}

/** Turns Rowkey's policies into the official client's. */
export function toIdentifiers(policies: readonly AccessPolicy[]): SignedIdentifier[] {
  return policies.map(({ id, start, expiry, permissions: permission }) => ({
    id,
    accessPolicy: {
      ...(start === undefined ? {} : { start }),
      ...(expiry === undefined ? {} : { expiry }),
      ...(permission === undefined ? {} : { permission }),
    },
  }))
}
