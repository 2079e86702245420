import type { Endpoint } from '../endpoint.ts'
import { OptionValueError } from '../errors/option-value-error.ts'
import type { LocationName } from '../location-name.ts'

/**
 * Where reads go. Writes only ever go to the primary.
 *
 * With `…Then…` a read that fails at one location is tried at the other, and so on in turn; the
 * first try at a location does not wait. What the secondary does not have (404) is asked of the
 * primary before it counts as missing, since the copy lags behind.
 */
export type LocationMode =
  | 'primaryOnly'
  | 'primaryThenSecondary'
  | 'secondaryOnly'
  | 'secondaryThenPrimary'

/** The locations that each mode takes in turn. */
const ORDERS: Readonly<Record<LocationMode, readonly LocationName[]>> = {
  primaryOnly: ['primary'],
  primaryThenSecondary: ['primary', 'secondary'],
  secondaryOnly: ['secondary'],
  secondaryThenPrimary: ['secondary', 'primary'],
}

/**
 * Refuses a mode that is none, or that needs a secondary where none is known.
 *
 * @param mode - what the caller gave
 * @param endpoint - the account
 * @param where - the function or operation, for the message
 * @throws {@link OptionValueError}
 */
export function checkLocation(mode: unknown, { secondary }: Endpoint, where: string): void {
  if (mode === undefined || mode === 'primaryOnly') return
  if (typeof mode !== 'string' || !Object.hasOwn(ORDERS, mode)) {
    throw new OptionValueError({
      message: `locationMode of ${where} must be one of ${Object.keys(ORDERS).join(', ')}.`,
    })
  }
  if (secondary !== undefined) return
  throw new OptionValueError({
    message: `locationMode '${mode}' of ${where} needs a secondary, and the endpoint names none. Give TableSecondaryEndpoint in the connection string, or use 'primaryOnly'.`,
  })
}

/**
 * The locations that a read takes in turn.
 *
 * @param mode - where reads go
 */
export function locationsOf(mode: LocationMode): readonly LocationName[] {
  return ORDERS[mode]
}
