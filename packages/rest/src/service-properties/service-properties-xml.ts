import type { XmlElement } from '../xml/parse-xml.ts'
import { readXmlResponse, unexpectedXml } from '../xml/read-xml.ts'
import { writeElement, writeXml, type XmlContent } from '../xml/write-xml.ts'
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
const VERSION = '1.0'

/**
 * Writes properties as the XML of Set Table Service Properties.
 *
 * @param properties - the properties, checked
 */
export function writeServiceProperties(properties: ServiceProperties): string {
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  return writeXml('StorageServiceProperties', {
    Logging: logging && toLogging(logging),
    HourMetrics: hourMetrics && toMetrics(hourMetrics),
    MinuteMetrics: minuteMetrics && toMetrics(minuteMetrics),
    Cors: cors && toCors(cors),
  })
}

/** Writes CORS rules as the service counts them. */
export function writeCorsRules(rules: readonly CorsRule[]): string {
  return writeElement('Cors', toCors(rules))
}

function toCors(rules: readonly CorsRule[]): XmlContent {
  return { CorsRule: rules.map(toRule) }
}

function toLogging({ read, write, delete: deletes, retentionDays }: LoggingProperties): XmlContent {
  const RetentionPolicy = toRetention(retentionDays)
  return { Version: VERSION, Delete: deletes, Read: read, Write: write, RetentionPolicy }
}

function toMetrics({ enabled, includeApis = false, retentionDays }: MetricsProperties): XmlContent {
  return {
    Version: VERSION,
    Enabled: enabled,
    // The service rejects IncludeAPIs when metrics are not enabled.
    IncludeAPIs: enabled ? includeApis : undefined,
    RetentionPolicy: toRetention(retentionDays),
  }
}

function toRetention(days: number | undefined): XmlContent {
  return { Enabled: days !== undefined, Days: days }
}

function toRule(rule: CorsRule): XmlContent {
  return {
    AllowedOrigins: rule.allowedOrigins.join(','),
    AllowedMethods: rule.allowedMethods.join(','),
    MaxAgeInSeconds: rule.maxAgeInSeconds,
    ExposedHeaders: rule.exposedHeaders.join(','),
    AllowedHeaders: rule.allowedHeaders.join(','),
  }
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
