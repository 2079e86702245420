import { odataInputError } from '../errors/codes.ts'
import type { InputError } from '../errors/input-error.ts'
import { invalidOption } from '../errors/invalid-option.ts'
import { brokenRule, type Reject, type Rule } from './rule.ts'

/** The rule of each option. The compiler finds an option without a rule, and a rule without an option. */
export type OptionRules<Options> = { readonly [Name in keyof Options]-?: Rule }

/** The options of a function, as {@link declareOptions} declares them. */
export interface DeclaredOptions<Options> {
  /** The rule of each option, for functions with more options. */
  readonly rules: OptionRules<Options>
  /** The names of the options. */
  readonly names: readonly (keyof Options & string)[]
  /**
   * Rejects an unknown option, so that a misspelled one never goes unnoticed, and an invalid value.
   *
   * @param given - the caller's options
   * @param where - the function or class, for the message
   * @throws `InputError` (`UnknownOption`) with the unknown option and the known ones
   * @throws `InputError` (`InvalidOptionValue`) for an invalid value, for a missing option, and when the options are
   * not an object
   */
  check(given: Options, where: string): void
}

/**
 * Declares the options of a function: from it follow their names, their check and the messages.
 *
 * @param rules - the rule of each option
 * @param reject - makes the error of an invalid value, for a caller with a code of its own
 *
 * @example
 * ```ts
 * const linearOptions = declareOptions<LinearRetryOptions>({
 *   attempts: wholeNumber(),
 *   delay: wholeNumber(0),
 *   maxDelay: wholeNumber(0),
 * })
 * linearOptions.check({ attempts: 0 }, 'linearRetry')
 * // InputError: attempts of linearRetry must be a whole number from 1 to 2147483647; got 0.
 * ```
 */
export function declareOptions<Options>(
  rules: OptionRules<Options>,
  reject: Reject = invalidOption,
): DeclaredOptions<Options> {
  const byName = new Map<string, Rule>(Object.entries(rules))
  const names = [...byName.keys()]
  const required = names.filter((name) => byName.get(name)?.isRequired)
  const checkMember = (name: string, value: unknown, where: string): void => {
    const rule = byName.get(name)
    if (rule === undefined) throw unknownOption(name, names, where)
    if (value === undefined && !rule.isRequired) return
    if (value === undefined || !rule.accepts(value)) {
      throw reject(brokenRule(value, rule, `${name} of ${where}`), name)
    }
  }
  return Object.freeze({
    rules,
    // The rules have the names of the options.
    names: names as (keyof Options & string)[],
    check(given: Options, where: string): void {
      if (typeof given !== 'object' || given === null) {
        throw reject(`The options of ${where} must be an object.`)
      }
      const values: Readonly<Record<string, unknown>> = Object(given)
      for (const name in values) checkMember(name, values[name], where)
      for (const name of required) checkMember(name, values[name], where)
    },
  })
}

/** Makes the error of an unknown option. */
function unknownOption(name: string, known: readonly string[], where: string): InputError {
  const options =
    known.length === 0 ? 'It has no options.' : `Its options are: ${known.join(', ')}.`
  return odataInputError('UnknownOption', `${where} has no option '${name}'. ${options}`, {
    option: name,
  })
}
