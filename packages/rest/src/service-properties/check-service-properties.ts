import {
  anything,
  declareOptions,
  type InputError,
  required,
  trueOrFalse,
  wholeNumber,
} from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import type {
  CorsRule,
  LoggingProperties,
  MetricsProperties,
  ServiceProperties,
} from './service-properties.ts'
import { writeCorsRules } from './service-properties-xml.ts'

const days = { ...wholeNumber(1, 365), text: 'a whole number from 1 to 365, or absent to keep all' }
const seconds = wholeNumber(0)
const flag = required(trueOrFalse)

const propertyOptions = declareOptions<ServiceProperties>({
  cors: anything,
  hourMetrics: anything,
  logging: anything,
  minuteMetrics: anything,
})
const loggingOptions = declareOptions<LoggingProperties>(
  { delete: flag, read: flag, retentionDays: days, write: flag },
  invalid,
)
const metricsOptions = declareOptions<MetricsProperties>(
  { enabled: flag, includeApis: trueOrFalse, retentionDays: days },
  invalid,
)
const corsOptions = declareOptions<CorsRule>(
  {
    allowedHeaders: anything,
    allowedMethods: anything,
    allowedOrigins: anything,
    exposedHeaders: anything,
    maxAgeInSeconds: required(seconds),
  },
  invalid,
)

/**
 * Rejects properties that the service would reject.
 *
 * @param properties - the properties to set
 * @throws `InputError` (`InvalidServiceProperties`) with the property and the rule
 * @throws `InputError` (`UnknownOption`) for an unknown name
 * @see https://learn.microsoft.com/rest/api/storageservices/set-table-service-properties
 */
export function checkServiceProperties(properties: ServiceProperties): void {
  propertyOptions.check(properties, 'setServiceProperties')
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  const of = 'of the service properties'
  if (logging !== undefined) loggingOptions.check(logging, `logging ${of}`)
  if (hourMetrics !== undefined) metricsOptions.check(hourMetrics, `hourMetrics ${of}`)
  if (minuteMetrics !== undefined) metricsOptions.check(minuteMetrics, `minuteMetrics ${of}`)
  if (cors !== undefined) checkCorsRules(cors)
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
  if (!Array.isArray(rules)) throw invalid('cors must be an array of rules.')
  if (rules.length > MOST_RULES) {
    throw invalid(`cors has ${rules.length} rules, but at most ${MOST_RULES} are allowed.`)
  }
  for (const [index, rule] of rules.entries()) checkRule(rule, `cors[${index}]`)
  // Every value is ASCII after the checks above.
  const bytes = writeCorsRules(rules).length
  if (bytes > MOST_BYTES)
    throw invalid(`cors has ${bytes} bytes as XML, but at most ${MOST_BYTES} are allowed.`)
}

function checkRule(rule: CorsRule, name: string): void {
  corsOptions.check(rule, `${name} of the service properties`)
  checkList(rule.allowedOrigins, `${name}.allowedOrigins`)
  checkList(rule.allowedMethods, `${name}.allowedMethods`)
  checkHeaders(rule.allowedHeaders, `${name}.allowedHeaders`)
  checkHeaders(rule.exposedHeaders, `${name}.exposedHeaders`)
  if (rule.allowedOrigins.length === 0)
    throw invalid(`${name}.allowedOrigins must contain an origin.`)
  if (rule.allowedMethods.length === 0)
    throw invalid(`${name}.allowedMethods must contain a method.`)
  const unknown = rule.allowedMethods.find((method) => !METHODS.has(method))
  if (unknown !== undefined) {
    throw invalid(
      `${name}.allowedMethods contains ${unknown}, which is not one of ${[...METHODS]}.`,
    )
  }
}

function checkHeaders(headers: readonly string[], name: string): void {
  checkList(headers, name)
  const prefixes = headers.filter((header) => header.length > 1 && header.endsWith('*')).length
  if (prefixes <= MOST_PREFIXES) return
  throw invalid(
    `${name} has ${prefixes} prefixes that end in *, but at most ${MOST_PREFIXES} are allowed.`,
  )
}

function checkList(values: unknown, name: string): void {
  if (!Array.isArray(values)) throw invalid(`${name} must be an array of strings.`)
  if (values.length > MOST_VALUES) {
    throw invalid(`${name} has ${values.length} values, but at most ${MOST_VALUES} are allowed.`)
  }
  for (const value of values) {
    if (typeof value !== 'string' || !VALUE.test(value) || value.length > LONGEST_VALUE) {
      throw invalid(
        `${name} must contain strings of 1 to ${LONGEST_VALUE} characters without commas.`,
      )
    }
  }
}

function invalid(message: string): InputError {
  return restInputError({ code: 'InvalidServiceProperties', message })
}
