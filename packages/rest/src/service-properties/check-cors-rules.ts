import { checkOptions } from '../check-options.ts'
import { LONGEST_DELAY } from '../check-whole-number.ts'
import { ServicePropertiesError } from '../errors/service-properties-error.ts'
import type { CorsRule } from './service-properties.ts'
import { writeCorsRules } from './write-service-properties.ts'

const RULE_NAMES = [
  'allowedHeaders',
  'allowedMethods',
  'allowedOrigins',
  'exposedHeaders',
  'maxAgeInSeconds',
] as const
const METHODS: ReadonlySet<string> = new Set(
  'DELETE GET HEAD MERGE POST OPTIONS PUT PATCH'.split(' '),
)
const MOST_RULES = 5
const MOST_BYTES = 2048
const MOST_VALUES = 64
const MOST_PREFIXES = 2
const LONGEST_VALUE = 256
/** A value of a comma list: visible ASCII without the comma. */
const VALUE = /^[\x21-\x2b\x2d-\x7e]+$/

/**
 * Refuses CORS rules that the service would refuse.
 *
 * @param rules - all rules that the service shall have
 * @throws {@link ServicePropertiesError} naming the rule by its index, and what it breaks
 * @see https://learn.microsoft.com/rest/api/storageservices/cross-origin-resource-sharing--cors--support-for-the-azure-storage-services
 */
export function checkCorsRules(rules: readonly CorsRule[]): void {
  if (!Array.isArray(rules)) throw refused('cors must be an array of rules')
  if (rules.length > MOST_RULES) {
    throw refused(`cors has ${rules.length} rules and may have ${MOST_RULES}`)
  }
  for (const [index, rule] of rules.entries()) checkRule(rule, `cors[${index}]`)
  // Every value is ASCII by now.
  const bytes = writeCorsRules(rules).length
  if (bytes > MOST_BYTES) throw refused(`cors is ${bytes} bytes as XML and may be ${MOST_BYTES}`)
}

function checkRule(rule: CorsRule, name: string): void {
  checkOptions(rule, RULE_NAMES, `${name} of the service properties`)
  checkList(rule.allowedOrigins, `${name}.allowedOrigins`)
  checkList(rule.allowedMethods, `${name}.allowedMethods`)
  checkHeaders(rule.allowedHeaders, `${name}.allowedHeaders`)
  checkHeaders(rule.exposedHeaders, `${name}.exposedHeaders`)
  if (rule.allowedOrigins.length === 0) throw refused(`${name}.allowedOrigins names no origin`)
  if (rule.allowedMethods.length === 0) throw refused(`${name}.allowedMethods names no method`)
  const unknown = rule.allowedMethods.find((method) => !METHODS.has(method))
  if (unknown !== undefined) {
    throw refused(`${name}.allowedMethods has ${unknown}, which is none of ${[...METHODS]}`)
  }
  checkAge(rule.maxAgeInSeconds, `${name}.maxAgeInSeconds`)
}

function checkHeaders(headers: readonly string[], name: string): void {
  checkList(headers, name)
  const prefixes = headers.filter((header) => header.length > 1 && header.endsWith('*')).length
  if (prefixes <= MOST_PREFIXES) return
  throw refused(`${name} has ${prefixes} prefixes that end in *, and may have ${MOST_PREFIXES}`)
}

function checkList(values: unknown, name: string): void {
  if (!Array.isArray(values)) throw refused(`${name} must be an array of strings`)
  if (values.length > MOST_VALUES) {
    throw refused(`${name} has ${values.length} values and may have ${MOST_VALUES}`)
  }
  for (const value of values) {
    if (typeof value !== 'string' || !VALUE.test(value) || value.length > LONGEST_VALUE) {
      throw refused(`${name} takes strings of 1 to ${LONGEST_VALUE} characters without commas`)
    }
  }
}

function checkAge(age: unknown, name: string): void {
  if (typeof age === 'number' && Number.isInteger(age) && age >= 0 && age <= LONGEST_DELAY) return
  throw refused(`${name} must be a whole number of seconds from 0 on`)
}

function refused(problem: string): ServicePropertiesError {
  return new ServicePropertiesError({ message: `${problem}.` })
}
