import { anything, declareOptions } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import { LONGEST_POLICY_ID } from './dated-policy-id.ts'

/**
 * A stored access policy of a table: what every SAS with its id may do, and when. Changing or removing
 * the policy changes or revokes all of them, within 30 seconds.
 */
export interface AccessPolicy {
  /**
   * The id that a SAS refers to: 1 to 64 characters, different from the table's other policies. Never
   * reuse a revoked id, or its old SAS become valid again: put a date into the id.
   */
  readonly id: string
  /** When the SAS become valid, UTC; when absent, the SAS may set it. */
  readonly start?: Date | undefined
  /** When the SAS expire, UTC; when absent, the SAS must set it. */
  readonly expiry?: Date | undefined
  /**
   * The permissions, by letters: `r` query, `a` add, `u` update, `d` delete. When absent, the SAS must
   * set them.
   */
  readonly permissions?: string | undefined
}

/** The most policies of one table. */
export const MOST_POLICIES = 5

const policyOptions = declareOptions<AccessPolicy>({
  expiry: anything,
  id: anything,
  permissions: anything,
  start: anything,
})
const PERMISSIONS = /^[raud]*$/
/** Characters that XML cannot contain or does not preserve: control characters and lone surrogates. */
const NOT_XML = /[^\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

/**
 * Rejects policies that the service would reject.
 *
 * @param table - the table's name, for the message
 * @param policies - all policies of the table
 * @throws `InputError` (`InvalidAccessPolicy`) with the policy and the rule
 * @see https://learn.microsoft.com/rest/api/storageservices/set-table-acl
 */
export function checkAccessPolicies(table: string, policies: readonly AccessPolicy[]): void {
  if (!Array.isArray(policies)) throw invalid(table, 'They must be an array')
  if (policies.length > MOST_POLICIES) {
    throw invalid(table, `There are ${policies.length}, but at most ${MOST_POLICIES} are allowed`)
  }
  const ids = new Set<string>()
  for (const policy of policies) {
    policyOptions.check(policy, `An access policy of table ${table}`)
    checkId(table, policy.id)
    if (ids.has(policy.id)) throw invalid(table, `The id ${shown(policy.id)} occurs twice`)
    ids.add(policy.id)
    checkTimes(table, policy)
    checkPermissions(table, policy)
  }
}

function checkId(table: string, id: unknown): void {
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_POLICY_ID) {
    const found = typeof id === 'string' ? `${id.length} characters` : `a ${typeof id}`
    throw invalid(table, `An id must have 1 to ${LONGEST_POLICY_ID} characters; got ${found}`)
  }
  if (!NOT_XML.test(id)) return
  throw invalid(table, `The id ${shown(id)} contains a character that XML does not preserve`)
}

function checkTimes(table: string, { id, start, expiry }: AccessPolicy): void {
  for (const [name, time] of [
    ['start', start],
    ['expiry', expiry],
  ] as const) {
    if (time === undefined || (time instanceof Date && !Number.isNaN(time.getTime()))) continue
    throw invalid(table, `${name} of ${shown(id)} must be a valid Date`)
  }
}

function checkPermissions(table: string, { id, permissions }: AccessPolicy): void {
  if (permissions === undefined) return
  const isText = typeof permissions === 'string' && PERMISSIONS.test(permissions)
  if (isText && new Set(permissions).size === permissions.length) return
  throw invalid(table, `permissions of ${shown(id)} must be letters out of "raud", each once`)
}

/** An id is not a secret: a SAS is worthless without its signature. */
function shown(id: string): string {
  return JSON.stringify(id)
}

function invalid(table: string, problem: string): Error {
  return restInputError({
    code: 'InvalidAccessPolicy',
    message: `The access policies of table ${table} are invalid. ${problem}.`,
  })
}
