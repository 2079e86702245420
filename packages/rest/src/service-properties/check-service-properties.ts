import { anything, declareOptions, required, rule, trueOrFalse, wholeNumber } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import type {
  CorsRule,
  LoggingProperties,
  MetricsProperties,
  ServiceProperties,
} from './service-properties.ts'
import { writeCorsRules } from './service-properties-xml.ts'

const METHODS: readonly unknown[] = 'DELETE GET HEAD MERGE OPTIONS POST PUT PATCH'.split(' ')
const MOST_RULES = 5
const MOST_BYTES = 2048
const MOST_VALUES = 64
const MOST_PREFIXES = 2
/** A value of a CORS rule: a comma would begin another one. */
const VALUE = /^[\x21-\x2b\x2d-\x7e]{1,256}$/

const days = { ...wholeNumber(1, 365), text: 'a whole number from 1 to 365, or absent to keep all' }
const flag = required(trueOrFalse)
const values = rule(
  `an array of at most ${MOST_VALUES} strings of 1 to 256 characters, without blanks and commas`,
  (list) =>
    Array.isArray(list) &&
    list.length <= MOST_VALUES &&
    list.every((value) => typeof value === 'string' && VALUE.test(value)),
)
const headers = rule(
  `${values.text}, at most ${MOST_PREFIXES} of them with a * at the end`,
  (list) =>
    values.accepts(list) &&
    (list as readonly string[]).filter((name) => /.\*$/.test(name)).length <= MOST_PREFIXES,
)
const origins = rule(
  `${values.text}, at least one`,
  (list) => values.accepts(list) && (list as readonly string[]).length > 0,
)
const methods = rule(
  `an array of at least one of ${METHODS.join(', ')}`,
  (list) =>
    origins.accepts(list) &&
    (list as readonly string[]).every((method) => METHODS.includes(method)),
)

const propertyOptions = declareOptions<ServiceProperties>(
  {
    cors: rule(
      `an array of at most ${MOST_RULES} rules`,
      (rules) => Array.isArray(rules) && rules.length <= MOST_RULES,
    ),
    hourMetrics: anything,
    logging: anything,
    minuteMetrics: anything,
  },
  invalid,
)
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
    allowedHeaders: required(headers),
    allowedMethods: required(methods),
    allowedOrigins: required(origins),
    exposedHeaders: required(headers),
    maxAgeInSeconds: required(wholeNumber(0)),
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
  const of = 'the service properties'
  propertyOptions.check(properties, of)
  const { logging, hourMetrics, minuteMetrics, cors = [] } = properties
  if (logging !== undefined) loggingOptions.check(logging, `logging of ${of}`)
  checkMetrics(hourMetrics, `hourMetrics of ${of}`)
  checkMetrics(minuteMetrics, `minuteMetrics of ${of}`)
  for (const [index, each] of cors.entries()) corsOptions.check(each, `cors[${index}] of ${of}`)
  // Every value is ASCII after the checks above.
  const bytes = writeCorsRules(cors).length
  if (bytes > MOST_BYTES)
    throw invalid(`cors of ${of} has ${bytes} bytes as XML; at most ${MOST_BYTES} are allowed.`)
}

function checkMetrics(metrics: MetricsProperties | undefined, of: string): void {
  if (metrics === undefined) return
  metricsOptions.check(metrics, of)
  // The reference of Set Table Service Properties: IncludeAPIs belongs to enabled metrics only.
  if (metrics.enabled || metrics.includeApis !== true) return
  throw invalid(
    `includeApis of ${of} needs enabled: true. Enable the metrics, or leave includeApis out.`,
  )
}

function invalid(message: string): Error {
  return restInputError({ code: 'InvalidServiceProperties', message })
}
