import { checkOptions } from '../check-options.ts'
import type { Endpoint } from '../endpoint.ts'
import { OptionValueError } from '../errors/option-value-error.ts'
import { CHECK_NAMES, type CheckChoices, type CheckName, type CheckPlace } from './check-name.ts'

/**
 * An endpoint that knows which checks are left to it.
 *
 * @param endpoint - the account
 * @param checks - where each rule is checked; all before sending when absent
 * @throws {@link UnknownOptionError} for a name that is no check
 * @throws {@link OptionValueError} for a place that is none
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
 * Whether a rule is checked here.
 *
 * @param endpoint - the account, which the rule may be left to
 * @param name - the check
 */
export function isChecked({ unchecked }: Endpoint, name: CheckName): boolean {
  return unchecked === undefined || !unchecked.includes(name)
}

function placeOf(checks: CheckPlace | CheckChoices, name: CheckName): unknown {
  if (typeof checks === 'string') return checks
  checkOptions(checks, CHECK_NAMES, 'checks of tableService')
  return checks[name]
}

function isLeft(place: unknown, name: CheckName): boolean {
  if (place === undefined || place === 'before sending') return false
  if (place === 'by the service') return true
  throw new OptionValueError({
    message: `checks of tableService must be 'before sending' or 'by the service', for all or for ${name} alone.`,
  })
}
