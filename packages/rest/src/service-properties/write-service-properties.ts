import { writeElement, writeText, XML_DECLARATION } from '../xml/write-xml.ts'
import type {
  CorsRule,
  LoggingProperties,
  MetricsProperties,
  ServiceProperties,
} from './service-properties.ts'

/** The only version of Storage Analytics there is. */
const VERSION = writeText('Version', '1.0')

/**
 * Properties as the XML that Set Table Service Properties takes.
 *
 * @param properties - the properties, checked
 */
export function writeServiceProperties(properties: ServiceProperties): string {
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  let content = ''
  if (logging !== undefined) content += writeLogging(logging)
  if (hourMetrics !== undefined) content += writeMetrics('HourMetrics', hourMetrics)
  if (minuteMetrics !== undefined) content += writeMetrics('MinuteMetrics', minuteMetrics)
  if (cors !== undefined) content += writeCorsRules(cors)
  return XML_DECLARATION + writeElement('StorageServiceProperties', content)
}

/**
 * CORS rules as the service takes and counts them.
 *
 * @param rules - the rules
 */
export function writeCorsRules(rules: readonly CorsRule[]): string {
  return writeElement('Cors', rules.map(writeRule).join(''))
}

function writeLogging({ read, write, delete: deletes, retentionDays }: LoggingProperties): string {
  const logged = writeText('Delete', deletes) + writeText('Read', read) + writeText('Write', write)
  return writeElement('Logging', VERSION + logged + writeRetention(retentionDays))
}

function writeMetrics(name: string, metrics: MetricsProperties): string {
  const { enabled, includeApis = false, retentionDays } = metrics
  // The service refuses to be told about figures that are not kept.
  const apis = enabled ? writeText('IncludeAPIs', includeApis) : ''
  const content = VERSION + writeText('Enabled', enabled) + apis + writeRetention(retentionDays)
  return writeElement(name, content)
}

function writeRetention(days: number | undefined): string {
  const content =
    days === undefined
      ? writeText('Enabled', false)
      : writeText('Enabled', true) + writeText('Days', days)
  return writeElement('RetentionPolicy', content)
}

function writeRule(rule: CorsRule): string {
  const content =
    writeText('AllowedOrigins', rule.allowedOrigins.join(',')) +
    writeText('AllowedMethods', rule.allowedMethods.join(',')) +
    writeText('MaxAgeInSeconds', rule.maxAgeInSeconds) +
    writeText('ExposedHeaders', rule.exposedHeaders.join(',')) +
    writeText('AllowedHeaders', rule.allowedHeaders.join(','))
  return writeElement('CorsRule', content)
}
