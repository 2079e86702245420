import { invalidOption } from '../errors/codes.ts'
import { checkOptions, type OptionNames } from '../options/check-options.ts'
import type { CheckChoices, CheckName, CheckPlace, Endpoint } from './endpoint.ts'

const NAMES: OptionNames<CheckChoices> = {
  accessPolicies: true,
  changeSetSize: true,
  changeSets: true,
  entitySize: true,
  keys: true,
  propertyCount: true,
  propertyNames: true,
  propertySizes: true,
  serviceProperties: true,
  tableNames: true,
}

/** The names of {@link CheckChoices}. */
export const CHECK_NAMES = Object.keys(NAMES) as readonly CheckName[]

/**
 * Adds the checks that are left to the service to an endpoint.
 *
 * @param endpoint - the account
 * @param checks - where each rule is checked; all before sending when absent
 * @throws `InputError` (`UnknownOption` or `InvalidOptionValue`) for an unknown check or place
 */
export function withChecks(
  endpoint: Endpoint,
  checks: CheckPlace | CheckChoices | undefined,
): Endpoint {
  if (checks === undefined) return endpoint
  const unchecked = CHECK_NAMES.filter((name) => isLeft(placeOf(checks, name), name))
  return Object.freeze({ ...endpoint, unchecked: Object.freeze(unchecked) })
}

/**
 * Tells whether a rule is checked before sending.
 *
 * @param endpoint - the account
 * @param name - the check
 */
export function isChecked({ unchecked }: Endpoint, name: CheckName): boolean {
  return unchecked === undefined || !unchecked.includes(name)
}

function placeOf(checks: CheckPlace | CheckChoices, name: CheckName): unknown {
  if (typeof checks === 'string') return checks
  checkOptions(checks, NAMES, 'checks of an account')
  return checks[name]
}

function isLeft(place: unknown, name: CheckName): boolean {
  if (place === undefined || place === 'before sending') return false
  if (place === 'by the service') return true
  throw invalidOption(
    `checks of an account must be 'before sending' or 'by the service', for all rules or for ${name} alone.`,
    'checks',
  )
}
