import { declareOptions, required, rule, showingText } from '@rowkey/odata'
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

const PERMISSIONS = /^[raud]*$/
/** Characters that XML cannot contain or does not preserve: control characters and lone surrogates. */
const NOT_XML = /[^\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

const aDate = rule('a valid Date', (date) => date instanceof Date && !Number.isNaN(date.getTime()))

/** An id is not a secret: a SAS is worthless without its signature. */
const policyOptions = declareOptions<AccessPolicy>(
  {
    expiry: aDate,
    id: required(
      showingText(
        rule(`1 to ${LONGEST_POLICY_ID} characters that XML preserves`, (id) => {
          const length = typeof id === 'string' && !NOT_XML.test(id) ? id.length : 0
          return length >= 1 && length <= LONGEST_POLICY_ID
        }),
      ),
    ),
    permissions: rule("letters out of 'raud', each once", (letters) => {
      const isText = typeof letters === 'string' && PERMISSIONS.test(letters)
      return isText && new Set(letters).size === letters.length
    }),
    start: aDate,
  },
  invalid,
)

/**
 * Rejects policies that the service would reject.
 *
 * @param table - the table's name, for the message
 * @param policies - all policies of the table
 * @throws `InputError` (`InvalidAccessPolicy`) with the policy and the rule
 * @see https://learn.microsoft.com/rest/api/storageservices/set-table-acl
 */
export function checkAccessPolicies(table: string, policies: readonly AccessPolicy[]): void {
  const all = `access policies of table ${table}`
  if (!Array.isArray(policies)) throw invalid(`The ${all} must be an array.`)
  if (policies.length > MOST_POLICIES) {
    throw invalid(`There are ${policies.length} ${all}, but at most ${MOST_POLICIES} are allowed.`)
  }
  const ids = new Set<string>()
  for (const [index, policy] of policies.entries()) {
    policyOptions.check(policy, `policy ${index} of the ${all}`)
    const { id } = policy
    if (ids.has(id)) throw invalid(`The id ${JSON.stringify(id)} occurs twice in the ${all}.`)
    ids.add(id)
  }
}

function invalid(message: string): Error {
  return restInputError({ code: 'InvalidAccessPolicy', message })
}
