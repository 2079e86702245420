import type { InputError } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'

import { checkOptions, LONGEST_DELAY, type OptionNames } from '../options/check-options.ts'
import type {
  CorsRule,
  LoggingProperties,
  MetricsProperties,
  ServiceProperties,
} from './service-properties.ts'
import { writeCorsRules } from './service-properties-xml.ts'

const PROPERTY_NAMES: OptionNames<ServiceProperties> = {
  cors: true,
  hourMetrics: true,
  logging: true,
  minuteMetrics: true,
}
const LOGGING_NAMES: OptionNames<LoggingProperties> = {
  delete: true,
  read: true,
  retentionDays: true,
  write: true,
}
const METRICS_NAMES: OptionNames<MetricsProperties> = {
  enabled: true,
  includeApis: true,
  retentionDays: true,
}
const MOST_DAYS = 365

/**
 * Rejects properties that the service would reject.
 *
 * @param properties - the properties to set
 * @throws `InputError` (`InvalidServiceProperties`) with the property and the rule
 * @throws `InputError` (`UnknownOption`) for an unknown name
 * @see https://learn.microsoft.com/rest/api/storageservices/set-table-service-properties
 */
export function checkServiceProperties(properties: ServiceProperties): void {
  checkOptions(properties, PROPERTY_NAMES, 'setServiceProperties')
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  if (logging !== undefined) checkLogging(logging)
  if (hourMetrics !== undefined) checkMetrics(hourMetrics, 'hourMetrics')
  if (minuteMetrics !== undefined) checkMetrics(minuteMetrics, 'minuteMetrics')
  if (cors !== undefined) checkCorsRules(cors)
}

function checkLogging(logging: LoggingProperties): void {
  checkOptions(logging, LOGGING_NAMES, 'logging of the service properties')
  checkBoolean(logging.read, 'logging.read')
  checkBoolean(logging.write, 'logging.write')
  checkBoolean(logging.delete, 'logging.delete')
  checkDays(logging.retentionDays, 'logging')
}

function checkMetrics(metrics: MetricsProperties, name: string): void {
  checkOptions(metrics, METRICS_NAMES, `${name} of the service properties`)
  checkBoolean(metrics.enabled, `${name}.enabled`)
  if (metrics.includeApis !== undefined) checkBoolean(metrics.includeApis, `${name}.includeApis`)
  checkDays(metrics.retentionDays, name)
}

function checkBoolean(value: unknown, name: string): void {
  if (typeof value === 'boolean') return
  throw restInputError({
    code: 'InvalidServiceProperties',
    message: `${name} must be true or false.`,
  })
}

function checkDays(days: unknown, name: string): void {
  if (days === undefined) return
  const isWhole = typeof days === 'number' && Number.isInteger(days)
  if (isWhole && days >= 1 && days <= MOST_DAYS) return
  throw restInputError({
    code: 'InvalidServiceProperties',
    message: `${name}.retentionDays must be a whole number from 1 to ${MOST_DAYS}; got ${String(days)}. Leave it out to keep everything.`,
  })
}

const RULE_NAMES: OptionNames<CorsRule> = {
  allowedHeaders: true,
  allowedMethods: true,
  allowedOrigins: true,
  exposedHeaders: true,
  maxAgeInSeconds: true,
}
const METHODS: ReadonlySet<string> = new Set(
  'DELETE GET HEAD MERGE POST OPTIONS PUT PATCH'.split(' '),
)
const MOST_RULES = 5
const MOST_BYTES = 2048
const MOST_VALUES = 64
const MOST_PREFIXES = 2
const LONGEST_VALUE = 256
/** A value of a comma-separated list: visible ASCII without the comma. */
const VALUE = /^[\x21-\x2b\x2d-\x7e]+$/

/**
 * Rejects CORS rules that the service would reject.
 *
 * @param rules - all rules of the service
 * @throws `InputError` (`InvalidServiceProperties`) with the index of the rule and what it breaks
 * @see https://learn.microsoft.com/rest/api/storageservices/cross-origin-resource-sharing--cors--support-for-the-azure-storage-services
 */
export function checkCorsRules(rules: readonly CorsRule[]): void {
  if (!Array.isArray(rules)) throw invalid('cors must be an array of rules')
  if (rules.length > MOST_RULES) {
    throw invalid(`cors has ${rules.length} rules, but at most ${MOST_RULES} are allowed`)
  }
  for (const [index, rule] of rules.entries()) checkRule(rule, `cors[${index}]`)
  // Every value is ASCII after the checks above.
  const bytes = writeCorsRules(rules).length
  if (bytes > MOST_BYTES)
    throw invalid(`cors has ${bytes} bytes as XML, but at most ${MOST_BYTES} are allowed`)
}

function checkRule(rule: CorsRule, name: string): void {
  checkOptions(rule, RULE_NAMES, `${name} of the service properties`)
  checkList(rule.allowedOrigins, `${name}.allowedOrigins`)
  checkList(rule.allowedMethods, `${name}.allowedMethods`)
  checkHeaders(rule.allowedHeaders, `${name}.allowedHeaders`)
  checkHeaders(rule.exposedHeaders, `${name}.exposedHeaders`)
  if (rule.allowedOrigins.length === 0)
    throw invalid(`${name}.allowedOrigins must contain an origin`)
  if (rule.allowedMethods.length === 0)
    throw invalid(`${name}.allowedMethods must contain a method`)
  const unknown = rule.allowedMethods.find((method) => !METHODS.has(method))
  if (unknown !== undefined) {
    throw invalid(`${name}.allowedMethods contains ${unknown}, which is not one of ${[...METHODS]}`)
  }
  checkAge(rule.maxAgeInSeconds, `${name}.maxAgeInSeconds`)
}

function checkHeaders(headers: readonly string[], name: string): void {
  checkList(headers, name)
  const prefixes = headers.filter((header) => header.length > 1 && header.endsWith('*')).length
  if (prefixes <= MOST_PREFIXES) return
  throw invalid(
    `${name} has ${prefixes} prefixes that end in *, but at most ${MOST_PREFIXES} are allowed`,
  )
}

function checkList(values: unknown, name: string): void {
  if (!Array.isArray(values)) throw invalid(`${name} must be an array of strings`)
  if (values.length > MOST_VALUES) {
    throw invalid(`${name} has ${values.length} values, but at most ${MOST_VALUES} are allowed`)
  }
  for (const value of values) {
    if (typeof value !== 'string' || !VALUE.test(value) || value.length > LONGEST_VALUE) {
      throw invalid(
        `${name} must contain strings of 1 to ${LONGEST_VALUE} characters without commas`,
      )
    }
  }
}

function checkAge(age: unknown, name: string): void {
  if (typeof age === 'number' && Number.isInteger(age) && age >= 0 && age <= LONGEST_DELAY) return
  throw invalid(`${name} must be a whole number of seconds, 0 or more`)
}

function invalid(problem: string): InputError {
  return restInputError({ code: 'InvalidServiceProperties', message: `${problem}.` })
}
