import type { XmlElement } from '../xml/parse-xml.ts'
import { readXmlResponse, unexpectedXml } from '../xml/read-xml.ts'
import { writeElement, writeText, XML_DECLARATION } from '../xml/write-xml.ts'
import type {
  CorsRule,
  LoggingProperties,
  MetricsProperties,
  ServiceProperties,
  ServiceStatistics,
} from './service-properties.ts'

const OPERATION = 'getServiceProperties'

/**
 * Reads the properties in a response to Get Table Service Properties.
 *
 * @param body - the response's body
 * @throws {@link DecodeError} when it is anything else
 */
export async function readServiceProperties(body: string): Promise<ServiceProperties> {
  const root = await readXmlResponse(OPERATION, body, 'StorageServiceProperties')
  const logging = root.child('Logging')
  const hourMetrics = root.child('HourMetrics')
  const minuteMetrics = root.child('MinuteMetrics')
  const cors = root.child('Cors')
  return {
    ...(logging && { logging: readLogging(logging) }),
    ...(hourMetrics && { hourMetrics: readMetrics(hourMetrics) }),
    ...(minuteMetrics && { minuteMetrics: readMetrics(minuteMetrics) }),
    ...(cors && { cors: cors.childrenNamed('CorsRule').map(readRule) }),
  }
}

function readLogging(logging: XmlElement): LoggingProperties {
  return {
    read: readBoolean(logging, 'Read'),
    write: readBoolean(logging, 'Write'),
    delete: readBoolean(logging, 'Delete'),
    ...readRetention(logging),
  }
}

function readMetrics(metrics: XmlElement): MetricsProperties {
  const includesApis = metrics.child('IncludeAPIs') !== undefined
  return {
    enabled: readBoolean(metrics, 'Enabled'),
    ...(includesApis && { includeApis: readBoolean(metrics, 'IncludeAPIs') }),
    ...readRetention(metrics),
  }
}

function readRetention(parent: XmlElement): { retentionDays?: number } {
  const policy = parent.child('RetentionPolicy')
  if (policy === undefined || !readBoolean(policy, 'Enabled')) return {}
  return { retentionDays: readNumber(policy, 'Days') }
}

function readRule(rule: XmlElement): CorsRule {
  return {
    allowedOrigins: readList(rule, 'AllowedOrigins'),
    allowedMethods: readList(rule, 'AllowedMethods'),
    allowedHeaders: readList(rule, 'AllowedHeaders'),
    exposedHeaders: readList(rule, 'ExposedHeaders'),
    maxAgeInSeconds: readNumber(rule, 'MaxAgeInSeconds'),
  }
}

function readBoolean(parent: XmlElement, name: string): boolean {
  const text = parent.child(name)?.text.toLowerCase()
  if (text === 'true' || text === 'false') return text === 'true'
  throw unexpectedXml(OPERATION, `a <${name}> that is neither true nor false`)
}

function readNumber(parent: XmlElement, name: string): number {
  const text = parent.child(name)?.text ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw unexpectedXml(OPERATION, `a <${name}> that is not a whole number`)
}

function readList(parent: XmlElement, name: string): string[] {
  const text = parent.child(name)?.text ?? ''
  return text === '' ? [] : text.split(',').map((part) => part.trim())
}

/** The only version of Storage Analytics. */
const VERSION = writeText('Version', '1.0')

/**
 * Writes properties as the XML of Set Table Service Properties.
 *
 * @param properties - the properties, checked
 */
export function writeServiceProperties(properties: ServiceProperties): string {
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  let content = ''
  if (logging !== undefined) content += writeLogging(logging)
  if (hourMetrics !== undefined) content += writeMetrics('HourMetrics', hourMetrics)
  if (minuteMetrics !== undefined) content += writeMetrics('MinuteMetrics', minuteMetrics)
  if (cors !== undefined) content += writeElement('Cors', cors.map(writeRule).join(''))
  return XML_DECLARATION + writeElement('StorageServiceProperties', content)
}

function writeLogging({ read, write, delete: deletes, retentionDays }: LoggingProperties): string {
  const logged = writeText('Delete', deletes) + writeText('Read', read) + writeText('Write', write)
  return writeElement('Logging', VERSION + logged + writeRetention(retentionDays))
}

function writeMetrics(name: string, metrics: MetricsProperties): string {
  const { enabled, includeApis = false, retentionDays } = metrics
  // The service rejects IncludeAPIs when metrics are not enabled.
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

/**
 * Reads the statistics in a response to Get Table Service Stats.
 *
 * @param body - the response's body
 * @throws {@link DecodeError} when it is anything else
 */
export async function readServiceStatistics(body: string): Promise<ServiceStatistics> {
  const root = await readXmlResponse('getServiceStats', body, 'StorageServiceStats')
  const replication = root.child('GeoReplication')
  const status = replication?.child('Status')?.text
  if (!status) throw unexpectedXml('getServiceStats', 'no replication status')
  const text = replication?.child('LastSyncTime')?.text
  if (!text) return { status }
  const lastSyncTime = new Date(text)
  if (!Number.isNaN(lastSyncTime.getTime())) return { status, lastSyncTime }
  throw unexpectedXml('getServiceStats', 'a LastSyncTime that is not a date')
}
