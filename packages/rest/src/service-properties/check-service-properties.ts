import { checkOptions } from '../check-options.ts'
import { ServicePropertiesError } from '../errors/service-properties-error.ts'
import { checkCorsRules } from './check-cors-rules.ts'
import type {
  LoggingProperties,
  MetricsProperties,
  ServiceProperties,
} from './service-properties.ts'

const PROPERTY_NAMES = ['cors', 'hourMetrics', 'logging', 'minuteMetrics'] as const
const LOGGING_NAMES = ['delete', 'read', 'retentionDays', 'write'] as const
const METRICS_NAMES = ['enabled', 'includeApis', 'retentionDays'] as const
const MOST_DAYS = 365

/**
 * Refuses properties that the service would refuse.
 *
 * @param properties - what is to be set
 * @throws {@link ServicePropertiesError} naming the property and the rule
 * @throws {@link UnknownOptionError} for a name that means nothing
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
  throw new ServicePropertiesError({ message: `${name} must be true or false.` })
}

function checkDays(days: unknown, name: string): void {
  if (days === undefined) return
  const isWhole = typeof days === 'number' && Number.isInteger(days)
  if (isWhole && days >= 1 && days <= MOST_DAYS) return
  throw new ServicePropertiesError({
    message: `${name}.retentionDays must be a whole number from 1 to ${MOST_DAYS}, and is ${String(days)}. Leave it out to keep everything.`,
  })
}
