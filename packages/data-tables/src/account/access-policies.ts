import { anything, declareOptions, required, rule } from '@rowkey/odata'
import type { AccessPolicy as StoredPolicy } from '@rowkey/rest'
import { aText, checkArray, checkMembers } from '../errors/check-arguments.ts'
import type { TableGetAccessPolicyHeaders } from './response-headers.ts'

/** What a stored access policy allows, and when. */
export interface AccessPolicy {
  /** When it begins. */
  start?: Date
  /** When it ends. */
  expiry?: Date
  /** Its letters: `raud`. */
  permission?: string
}

/** A stored access policy with its id. */
export interface SignedIdentifier {
  /** The id: 1 to 64 characters. */
  id: string
  /** The policy. */
  accessPolicy?: AccessPolicy
}

/** The stored access policies, with the headers of the response. */
export type GetAccessPolicyResponse = TableGetAccessPolicyHeaders & SignedIdentifier[]

const identifierMembers = declareOptions<SignedIdentifier>({
  id: required(aText),
  accessPolicy: anything,
})

const aDate = rule(
  'a Date',
  (date) => date === null || date instanceof Date || typeof date === 'string',
)

const policyMembers = declareOptions<AccessPolicy>({
  start: aDate,
  expiry: aDate,
  permission: aText,
})

/**
 * Turns the official client's policies into Rowkey's.
 *
 * @throws InputError for a value that is not a list of policies, and for an unknown member
 */
export function toPolicies(identifiers: readonly SignedIdentifier[]): StoredPolicy[] {
  checkArray(identifiers, 'The policies of setAccessPolicy')
  return identifiers.map((identifier, index) => {
    const place = `policy ${index} of setAccessPolicy`
    checkMembers(identifier, identifierMembers, place)
    const { id, accessPolicy = {} } = identifier
    checkMembers(accessPolicy, policyMembers, `accessPolicy of ${place}`)
    const { start, expiry, permission: permissions } = accessPolicy
    return { id, ...datesOf({ start, expiry }), permissions }
  })
}

/** Turns Rowkey's policies into the official client's. */
export function toIdentifiers(policies: readonly StoredPolicy[]): SignedIdentifier[] {
  return policies.map(({ id, start, expiry, permissions: permission }) => ({
    id,
    accessPolicy: {
      ...datesOf({ start, expiry }),
      ...(permission === undefined ? {} : { permission }),
    },
  }))
}

/**
 * Plain Dates: those of Rowkey print seven digits of a second, and callers may pass texts, and null for none, which would be a
 * date of 1970.
 */
function datesOf(dates: Readonly<Record<'start' | 'expiry', Date | undefined>>): {
  start?: Date
  expiry?: Date
} {
  const { start, expiry } = dates
  return {
    ...(start == null ? {} : { start: new Date(start) }),
    ...(expiry == null ? {} : { expiry: new Date(expiry) }),
  }
}
