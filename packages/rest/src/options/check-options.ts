import { InputError, invalidOption } from '@rowkey/odata'

/**
 * The names of some options, as an object. The compiler then finds a name that is missing or unknown.
 *
 * @example
 * ```ts
 * const names: OptionNames<LinearRetryOptions> = { attempts: true, delay: true, maxDelay: true }
 * ```
 */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: true }

/**
 * Rejects an options object with an unknown name, so that a misspelled option never goes unnoticed.
 *
 * @param given - the caller's options
 * @param names - the known options: an object of {@link OptionNames}, or a list
 * @param where - the function or class, for the message
 * @throws `InputError` (`UnknownOption`) with the unknown option and the known ones, and
 * `InputError` (`InvalidOptionValue`) when the options are not an object
 */
export function checkOptions<Options extends object>(
  given: Options,
  names: OptionNames<Options>,
  where: string,
): void
export function checkOptions(given: unknown, names: readonly string[], where: string): void
export function checkOptions(
  given: unknown,
  names: readonly string[] | Readonly<Record<string, true>>,
  where: string,
): void {
  if (typeof given !== 'object' || given === null) {
    throw invalidOption(`The options of ${where} must be an object.`)
  }
  const isKnown = Array.isArray(names)
    ? (name: string) => names.includes(name)
    : (name: string) => Object.hasOwn(names, name)
  for (const name in given) {
    if (isKnown(name)) continue
    const known = Array.isArray(names) ? names : Object.keys(names)
    throw new InputError({
      code: 'UnknownOption',
      message: `${where} has no option '${name}'. Its options are: ${known.join(', ')}.`,
      details: { option: name },
    })
  }
}

/**
 * Rejects options that would fail, or be ignored, only when they are used.
 *
 * @param values - the caller's values, by the names of the options
 * @param kind - what they must be, if they are there
 * @param where - the function or class, for the message
 * @throws `InputError` (`InvalidOptionValue`)
 */
export function checkKinds(
  values: Readonly<Record<string, unknown>>,
  kind: 'function' | 'boolean',
  where: string,
): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || typeof value === kind) continue
    const rule = kind === 'function' ? 'a function' : 'true or false'
    throw invalidOption(`${name} of ${where} must be ${rule}.`, name)
  }
}

/** The longest wait of a Node timer, in milliseconds: a longer one fires at once. */
const LONGEST_DELAY: number = 2 ** 31 - 1

/**
 * Rejects an option that is not a whole number of milliseconds or of things.
 *
 * @param value - the caller's value
 * @param name - the option, for the message
 * @param where - the function or operation, for the message
 * @param least - the smallest valid number
 * @param most - the largest valid number; 2,147,483,647 when absent
 * @returns the number
 * @throws `InputError` (`InvalidOptionValue`) unless it is a whole number from `least` to `most`
 */
export function checkWholeNumber(
  value: unknown,
  name: string,
  where: string,
  least = 1,
  most: number = LONGEST_DELAY,
): number {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  if (isWhole && value >= least && value <= most) return value
  throw invalidOption(`${name} of ${where} must be a whole number from ${least} to ${most}.`, name)
}
