import {
  type DeclaredOptions,
  declareOptions,
  type InputError,
  type OptionRules,
  type Rule,
  rule,
} from '@rowkey/odata'
import { type CallOptions, callOptions } from '@rowkey/rest'
import { patternsInputError } from '../errors/codes.ts'

/**
 * The options of a call that writes several times: those of every call, without `idempotencyKey`. One key for all writes would
 * let all but the first seem applied.
 *
 * @example
 * ```ts
 * const options: ManyWritesOptions = { signal: AbortSignal.timeout(60_000) }
 * await summaries.on(account).rebuild({ department: 'Sales' }, options)
 * ```
 */
export type ManyWritesOptions = Omit<CallOptions, 'idempotencyKey'>

/** Makes the error of an invalid option or argument. */
export function invalidPatternOption(message: string): InputError {
  return patternsInputError({ code: 'InvalidPatternOption', message })
}

/**
 * Declares the options of a pattern.
 *
 * @param rules - the rule of each option
 * @returns declared options, whose check throws an InputError (`InvalidPatternOption`) for an invalid value
 */
export function declarePattern<Options>(rules: OptionRules<Options>): DeclaredOptions<Options> {
  return declareOptions(rules, invalidPatternOption)
}

const { idempotencyKey: _, ...rules } = callOptions.rules

/** The options of calls that write several times. */
export const manyWritesOptions: DeclaredOptions<ManyWritesOptions> =
  declareOptions<ManyWritesOptions>(rules)

/** A text, maybe empty. */
export const aText: Rule = rule('a text', (value) => typeof value === 'string')

/** A text that names something. */
export const aName: Rule = rule(
  'a text, not empty',
  (value) => typeof value === 'string' && value !== '',
)

/** A list of names. */
export const names: Rule = rule(
  'an array of names',
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
)

/** An object with a member for each name. */
export const aRecord: Rule = rule(
  'an object with a member for each name',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

/** A key template. */
export const aTemplate: Rule = rule(
  `a template such as key\`title_\${'title'}\``,
  (value) =>
    typeof value === 'object' && value !== null && 'segments' in value && 'properties' in value,
)

/** A number of things. */
export const aCount: Rule = rule(
  'a whole number from 1',
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
)

/** The longest duration, in milliseconds. A queue in a table prints times with 15 digits. */
export const LONGEST = 3_155_760_000_000

/** A duration. */
export const aDuration: Rule = rule(
  `a number of milliseconds from 0 to ${LONGEST} (100 years)`,
  (value) => typeof value === 'number' && value >= 0 && value <= LONGEST,
)
