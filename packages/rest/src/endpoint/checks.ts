import { declareOptions, oneOf, type Rule, rule } from '@rowkey/odata'
import type { CheckChoices, CheckName, CheckPlace, Endpoint } from './endpoint.ts'

const place = oneOf('before sending', 'by the service')

const checkChoices = declareOptions<CheckChoices>({
  accessPolicies: place,
  changeSetSize: place,
  changeSets: place,
  entitySize: place,
  keys: place,
  propertyCount: place,
  propertyNames: place,
  propertySizes: place,
  serviceProperties: place,
  tableNames: place,
})

/** The rule of an account's `checks`. An object with choices is checked by {@link withChecks}. */
export const checksRule: Rule = rule(
  `${place.text}, or an object with one of them for each rule`,
  (checks) => place.accepts(checks) || (typeof checks === 'object' && checks !== null),
)

/** The names of {@link CheckChoices}. */
export const CHECK_NAMES: readonly CheckName[] = checkChoices.names

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
  if (typeof checks === 'object') checkChoices.check(checks, 'checks of an account')
  const placeOf = (name: CheckName) => (typeof checks === 'string' ? checks : checks[name])
  const unchecked = CHECK_NAMES.filter((name) => placeOf(name) === 'by the service')
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
