import { restInputError } from '../errors/codes.ts'

/** The most characters of a policy's id. */
export const LONGEST_POLICY_ID = 64

/** A dash and `20261120T120000000Z`. */
const STAMP_LENGTH = 20

/**
 * Makes an id for a stored access policy that was never used before: a name and the current time to the
 * millisecond. Reusing a revoked id would make its old signatures valid again.
 *
 * @param name - the purpose of the policy, up to 44 characters
 * @param now - milliseconds since 1970, UTC
 * @throws `InputError` (`InvalidAccessPolicy`) when the name is empty or too long, and when `now` is not a time
 *
 * @example
 * ```ts
 * datedPolicyId('support', Date.UTC(2026, 10, 20, 12)) // 'support-20261120T120000000Z'
 * ```
 */
export function datedPolicyId(name: string, now: number = Date.now()): string {
  const date = new Date(now)
  if (Number.isNaN(date.getTime())) {
    throw restInputError({
      code: 'InvalidAccessPolicy',
      message: 'The time of a dated policy id must be milliseconds since 1970.',
    })
  }
  const id = `${name}-${date.toISOString().replaceAll(/[-:.]/g, '')}`
  if (typeof name === 'string' && name !== '' && id.length <= LONGEST_POLICY_ID) return id
  throw restInputError({
    code: 'InvalidAccessPolicy',
    message: `The name of a dated policy id must have 1 to ${LONGEST_POLICY_ID - STAMP_LENGTH} characters.`,
  })
}
