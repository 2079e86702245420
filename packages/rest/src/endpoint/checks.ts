import { restInputError } from '../errors/codes.ts'

import { checkOptions } from '../options/check-options.ts'
import type { CheckChoices, CheckName, CheckPlace, Endpoint } from './endpoint.ts'

/** Every name, or this does not compile. */
const names: Record<CheckName, true> = {
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
export const CHECK_NAMES = Object.keys(names) as readonly CheckName[]

/**
 * An endpoint that knows which checks are left to it.
 *
 * @param endpoint - the account
 * @param checks - where each rule is checked; all before sending when absent
 * @throws {@link InputError} (`UnknownOption`) for a name that is no check
 * @throws {@link InputError} (`InvalidOptionValue`) for a place that is none
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
  throw restInputError({
    code: 'InvalidOptionValue',
    message: `checks of tableService must be 'before sending' or 'by the service', for all or for ${name} alone.`,
  })
}

/**
 * Refuses an operation that only Table storage has.
 *
 * @param operation - the operation's name, for the message
 * @param endpoint - the account
 * @throws {@link InputError} (`UnsupportedOperation`) for an account of Cosmos DB
 */
export function checkStorage(operation: string, { account, flavour }: Endpoint): void {
  if (flavour !== 'cosmos') return
  throw restInputError({
    code: 'UnsupportedOperation',
    message: `Cosmos DB has no ${operation}, and ${account} is an account of Cosmos DB. Manage the account by its own tools, or say flavour: 'storage' if it is none.`,
  })
}
