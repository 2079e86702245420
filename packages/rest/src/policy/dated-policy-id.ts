import { AccessPolicyError } from '../errors/access-policy-error.ts'
import { LONGEST_POLICY_ID } from './access-policy.ts'

/** A dash and `20261120T120000000Z`. */
const STAMP_LENGTH = 20

/**
 * An id for a stored access policy that none had before: a name, and the moment to the millisecond.
 * An id that was revoked and is used again would bring its old signatures back to life.
 *
 * @param name - what the policy is for, up to 44 characters
 * @param now - milliseconds since 1970, UTC
 * @throws {@link AccessPolicyError} when the name is empty or too long
 *
 * @example
 * ```ts
 * datedPolicyId('support', Date.UTC(2026, 10, 20, 12)) // 'support-20261120T120000000Z'
 * ```
 */
export function datedPolicyId(name: string, now: number = Date.now()): string {
  const id = `${name}-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}`
  if (typeof name === 'string' && name !== '' && id.length <= LONGEST_POLICY_ID) return id
  throw new AccessPolicyError({
    message: `The name of a dated policy id must have 1 to ${LONGEST_POLICY_ID - STAMP_LENGTH} characters.`,
  })
}
