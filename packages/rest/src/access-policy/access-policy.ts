import type { InputError } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'

import { checkOptions } from '../options/check-options.ts'

/**
 * A stored access policy of a table: what every SAS that names its id may do, and when. Changing or
 * removing the policy changes or revokes all of them, within 30 seconds.
 */
export interface AccessPolicy {
  /**
   * The id that a SAS names: 1 to 64 characters, unlike those of the table's other policies. Never
   * use a revoked id again, or its old SAS come back to life: a date in the id helps.
   */
  readonly id: string
  /** From when on, UTC; when absent, the SAS may say. */
  readonly start?: Date | undefined
  /** Until when, UTC; when absent, the SAS must say. */
  readonly expiry?: Date | undefined
  /**
   * What is allowed, by letters: `r` query, `a` add, `u` update, `d` delete. When absent, the SAS
   * must say.
   */
  readonly permissions?: string | undefined
}

/** The most policies of one table. */
export const MOST_POLICIES = 5

/** The most characters of a policy's id. */
export const LONGEST_POLICY_ID = 64

/** A dash and `20261120T120000000Z`. */
const STAMP_LENGTH = 20

/**
 * An id for a stored access policy that none had before: a name, and the moment to the millisecond.
 * An id that was revoked and is used again would bring its old signatures back to life.
 *
 * @param name - what the policy is for, up to 44 characters
 * @param now - milliseconds since 1970, UTC
 * @throws {@link InputError} (`InvalidAccessPolicy`) when the name is empty or too long
 *
 * @example
 * ```ts
 * datedPolicyId('support', Date.UTC(2026, 10, 20, 12)) // 'support-20261120T120000000Z'
 * ```
 */
export function datedPolicyId(name: string, now: number = Date.now()): string {
  const id = `${name}-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}`
  if (typeof name === 'string' && name !== '' && id.length <= LONGEST_POLICY_ID) return id
  throw restInputError({
    code: 'InvalidAccessPolicy',
    message: `The name of a dated policy id must have 1 to ${LONGEST_POLICY_ID - STAMP_LENGTH} characters.`,
  })
}

const POLICY_NAMES = ['expiry', 'id', 'permissions', 'start'] as const
const PERMISSIONS = /^[raud]*$/
/** What XML cannot hold or does not keep: control characters, and half a surrogate pair. */
const NOT_XML = /[^\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

/**
 * Refuses policies that the service would refuse.
 *
 * @param table - the table's name, for the message
 * @param policies - all policies that the table shall have
 * @throws {@link InputError} (`InvalidAccessPolicy`) naming the policy and the rule
 * @see https://learn.microsoft.com/rest/api/storageservices/set-table-acl
 */
export function checkAccessPolicies(table: string, policies: readonly AccessPolicy[]): void {
  if (!Array.isArray(policies)) throw refused(table, 'The policies must be an array')
  if (policies.length > MOST_POLICIES) {
    throw refused(table, `There are ${policies.length}, and a table has at most ${MOST_POLICIES}`)
  }
  const ids = new Set<string>()
  for (const policy of policies) {
    checkOptions(policy, POLICY_NAMES, `An access policy of table ${table}`)
    checkId(table, policy.id)
    if (ids.has(policy.id)) throw refused(table, `The id ${shown(policy.id)} is there twice`)
    ids.add(policy.id)
    checkTimes(table, policy)
    checkPermissions(table, policy)
  }
}

function checkId(table: string, id: unknown): void {
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_POLICY_ID) {
    const found = typeof id === 'string' ? `one of ${id.length}` : `a ${typeof id}`
    throw refused(table, `An id has 1 to ${LONGEST_POLICY_ID} characters, and this is ${found}`)
  }
  if (!NOT_XML.test(id)) return
  throw refused(table, `The id ${shown(id)} has a character that XML does not keep`)
}

function checkTimes(table: string, { id, start, expiry }: AccessPolicy): void {
  for (const [name, time] of [
    ['start', start],
    ['expiry', expiry],
  ] as const) {
    if (time === undefined || (time instanceof Date && !Number.isNaN(time.getTime()))) continue
    throw refused(table, `The ${name} of ${shown(id)} must be a valid Date`)
  }
}

function checkPermissions(table: string, { id, permissions }: AccessPolicy): void {
  if (permissions === undefined) return
  const isText = typeof permissions === 'string' && PERMISSIONS.test(permissions)
  if (isText && new Set(permissions).size === permissions.length) return
  throw refused(table, `The permissions of ${shown(id)} are letters of "raud", each once`)
}

/** An id is a name and no secret; a SAS is worthless without its signature. */
function shown(id: string): string {
  return JSON.stringify(id)
}

function refused(table: string, problem: string): InputError {
  return restInputError({
    code: 'InvalidAccessPolicy',
    message: `The access policies of table ${table} are refused. ${problem}.`,
  })
}
