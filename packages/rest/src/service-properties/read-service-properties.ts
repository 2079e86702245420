import { notExpected, readXmlAnswer } from '../xml/read-xml-answer.ts'
import type { XmlElement } from '../xml/xml-element.ts'
import type {
  CorsRule,
  LoggingProperties,
  MetricsProperties,
  ServiceProperties,
} from './service-properties.ts'

const OPERATION = 'getServiceProperties'

/**
 * The properties in the answer to Get Table Service Properties.
 *
 * @param body - the answer's body
 * @throws {@link DecodeError} when it is something else
 */
export async function readServiceProperties(body: string): Promise<ServiceProperties> {
  const root = await readXmlAnswer(OPERATION, body, 'StorageServiceProperties')
  const logging = root.child('Logging')
  const hourMetrics = root.child('HourMetrics')
  const minuteMetrics = root.child('MinuteMetrics')
  const cors = root.child('Cors')
  return {
    ...(logging && { logging: readLogging(logging) }),
    ...(hourMetrics && { hourMetrics: readMetrics(hourMetrics) }),
    ...(minuteMetrics && { minuteMetrics: readMetrics(minuteMetrics) }),
    ...(cors && { cors: cors.children('CorsRule').map(readRule) }),
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
  throw notExpected(OPERATION, `a <${name}> that is neither true nor false`)
}

function readNumber(parent: XmlElement, name: string): number {
  const text = parent.child(name)?.text ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw notExpected(OPERATION, `a <${name}> that is no whole number`)
}

function readList(parent: XmlElement, name: string): string[] {
  const text = parent.child(name)?.text ?? ''
  return text === '' ? [] : text.split(',').map((part) => part.trim())
}
