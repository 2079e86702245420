import { brokenRule, type Rule } from '@rowkey/odata'
import { invalidPatternOption } from './codes.ts'

/**
 * Checks an argument.
 *
 * @param rule - what it must be
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkArgument(rule: Rule, value: unknown, place: string): void {
  if (!rule.accepts(value)) throw invalidPatternOption(brokenRule(value, rule, place))
}
