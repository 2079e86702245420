import type { XmlChildren, XmlElement } from '@rowkey/rest'
import { VERBS } from '../request/read-request.ts'
import { malformedXml, membersOf, printDocument, readDocument, textOf } from '../xml/xml.ts'

/** Prints the properties of a service as an XML document, in the service's order. */
export function printServiceProperties(properties: ServiceProperties): string {
  const { logging, hourMetrics, minuteMetrics, cors } = properties
  return printDocument('StorageServiceProperties', {
    Logging: {
      Version: logging.version,
      Read: logging.read,
      Write: logging.write,
      Delete: logging.delete,
      RetentionPolicy: toRetention(logging.retention),
    },
    HourMetrics: toMetrics(hourMetrics),
    MinuteMetrics: toMetrics(minuteMetrics),
    Cors: { CorsRule: cors.map(toRule) },
  })
}

function toMetrics({ version, enabled, includeApis, retention }: Metrics): XmlChildren {
  return {
    Version: version,
    Enabled: enabled,
    IncludeAPIs: includeApis,
    RetentionPolicy: toRetention(retention),
  }
}

function toRetention({ enabled, days }: Retention): XmlChildren {
  return { Enabled: enabled, Days: days }
}

function toRule(rule: CorsRule): XmlChildren {
  return {
    AllowedOrigins: rule.allowedOrigins.join(','),
    AllowedMethods: rule.allowedMethods.join(','),
    MaxAgeInSeconds: rule.maxAge,
    ExposedHeaders: rule.exposedHeaders.join(','),
    AllowedHeaders: rule.allowedHeaders.join(','),
  }
}

const MAX_DAYS = 365

/**
 * Reads the new properties of a service. A missing root element leaves its part unchanged; a root
 * element must be complete.
 *
 * @throws Rejection InvalidXmlDocument, which the service also uses for invalid values
 */
export async function readServiceProperties(body: string): Promise<Partial<ServiceProperties>> {
  const root = await readDocument(body)
  if (root.name !== 'StorageServiceProperties') throw malformedXml()
  const { Logging, HourMetrics, MinuteMetrics, Cors } = membersOf(root, [
    'Logging',
    'HourMetrics',
    'MinuteMetrics',
    'Cors',
  ])
  return {
    ...(Logging && { logging: readLogging(Logging) }),
    ...(HourMetrics && { hourMetrics: readMetrics(HourMetrics) }),
    ...(MinuteMetrics && { minuteMetrics: readMetrics(MinuteMetrics) }),
    ...(Cors && { cors: readCorsRules(Cors) }),
  }
}

function readLogging(element: XmlElement): Logging {
  const members = membersOf(element, ['Version', 'Read', 'Write', 'Delete', 'RetentionPolicy'])
  return {
    version: readVersion(members.Version),
    read: readBoolean(members.Read),
    write: readBoolean(members.Write),
    delete: readBoolean(members.Delete),
    retention: readRetention(members.RetentionPolicy),
  }
}

/** A child that matters only when something is enabled is ignored without it. */
function readMetrics(element: XmlElement): Metrics {
  const members = membersOf(element, ['Version', 'Enabled', 'IncludeAPIs', 'RetentionPolicy'])
  const enabled = readBoolean(members.Enabled)
  return {
    version: readVersion(members.Version),
    enabled,
    includeApis: enabled ? readBoolean(members.IncludeAPIs) : undefined,
    retention: readRetention(members.RetentionPolicy),
  }
}

function readRetention(element: XmlElement | undefined): Retention {
  if (element === undefined) throw malformedXml()
  const { Enabled, Days } = membersOf(element, ['Enabled', 'Days'])
  const enabled = readBoolean(Enabled)
  return { enabled, days: enabled ? readNumber(Days, 1, MAX_DAYS) : undefined }
}

function readVersion(element: XmlElement | undefined): string {
  const version = textOf(element).trim()
  if (!/^\d\.\d$/.test(version)) throw malformedXml()
  return version
}

const MAX_RULES = 5
/** The most characters of all rules together. */
const MAX_TEXT_LENGTH = 2048
const MAX_ORIGINS = 64
const MAX_LITERAL_HEADERS = 64
const MAX_PREFIXED_HEADERS = 2
/** The most characters of an origin or of a header's name. */
const MAX_NAME_LENGTH = 256
const MAX_SECONDS = 2_147_483_647

/** A valid header name; any other could not be sent in a response. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

const NAMES = [
  'AllowedOrigins',
  'AllowedMethods',
  'MaxAgeInSeconds',
  'ExposedHeaders',
  'AllowedHeaders',
] as const

/**
 * Reads the CORS rules of a service; an empty element contains none.
 *
 * @throws Rejection InvalidXmlDocument
 */
export function readCorsRules(element: XmlElement): readonly CorsRule[] {
  const { children } = element
  const areRules = children.every(({ name }) => name === 'CorsRule') && element.text.trim() === ''
  if (!areRules || children.length > MAX_RULES) throw malformedXml()
  const rules = children.map(readRule)
  if (rules.reduce((length, rule) => length + lengthOf(rule), 0) > MAX_TEXT_LENGTH) {
    throw malformedXml()
  }
  return rules
}

function readRule(element: XmlElement): CorsRule {
  const members = membersOf(element, NAMES)
  const allowedOrigins = readList(members.AllowedOrigins)
  const allowedMethods = readList(members.AllowedMethods)
  const areMethods = allowedMethods.every((method) => VERBS.has(method))
  if (allowedOrigins.length < 1 || allowedOrigins.length > MAX_ORIGINS) throw malformedXml()
  if (allowedMethods.length < 1 || !areMethods) throw malformedXml()
  checkNames(allowedOrigins)
  return {
    allowedOrigins,
    allowedMethods,
    maxAge: readNumber(members.MaxAgeInSeconds, 0, MAX_SECONDS),
    exposedHeaders: readHeaders(members.ExposedHeaders),
    allowedHeaders: readHeaders(members.AllowedHeaders),
  }
}

function readHeaders(element: XmlElement | undefined): readonly string[] {
  const names = readList(element)
  const prefixed = names.filter((name) => name.endsWith('*')).length
  checkNames(names)
  if (!names.every((name) => HEADER_NAME.test(name))) throw malformedXml()
  if (prefixed > MAX_PREFIXED_HEADERS || names.length - prefixed > MAX_LITERAL_HEADERS) {
    throw malformedXml()
  }
  return names
}

function checkNames(names: readonly string[]): void {
  if (!names.every((name) => name !== '' && name.length <= MAX_NAME_LENGTH)) throw malformedXml()
}

function lengthOf({ allowedOrigins, allowedMethods, exposedHeaders, allowedHeaders }: CorsRule) {
  return [allowedOrigins, allowedMethods, exposedHeaders, allowedHeaders].join().length
}

/** Reads `true` or `false` in any case from a required element. */
export function readBoolean(element: XmlElement | undefined): boolean {
  const text = textOf(element).trim().toLowerCase()
  if (text !== 'true' && text !== 'false') throw malformedXml()
  return text === 'true'
}

/** Reads a whole number from `low` to `high` from a required element. */
export function readNumber(element: XmlElement | undefined, low: number, high: number): number {
  const text = textOf(element).trim()
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= low && number <= high) return number
  throw malformedXml()
}

/** Reads the names between commas from a required element, which may be empty. */
export function readList(element: XmlElement | undefined): readonly string[] {
  const text = textOf(element).trim()
  return text === '' ? [] : text.split(',').map((name) => name.trim())
}

/** How long logs or metrics are kept. */
interface Retention {
  /** Whether they are deleted after some days. */
  readonly enabled: boolean
  /** 1 to 365; absent when everything is kept. */
  readonly days: number | undefined
}

/** Which requests to log. The embedded service stores these properties, and writes no logs. */
interface Logging {
  /** A digit, a dot and a digit, such as `1.0`. */
  readonly version: string
  /** Whether to log reads. */
  readonly read: boolean
  /** Whether to log writes. */
  readonly write: boolean
  /** Whether to log deletes. */
  readonly delete: boolean
  /** How long the logs are kept. */
  readonly retention: Retention
}

/**
 * What to count by the hour or the minute. The embedded service stores these properties, and counts
 * nothing.
 */
interface Metrics {
  /** A digit, a dot and a digit, such as `1.0`. */
  readonly version: string
  /** Whether anything is counted. */
  readonly enabled: boolean
  /** Absent when nothing is counted. */
  readonly includeApis: boolean | undefined
  /** How long the counts are kept. */
  readonly retention: Retention
}

/** Which requests pages of other origins may send. */
export interface CorsRule {
  /** Exact and case-sensitive origins, or `*` for all. */
  readonly allowedOrigins: readonly string[]
  /** HTTP verbs in upper case. */
  readonly allowedMethods: readonly string[]
  /** Seconds for which a browser may cache the response to a preflight. */
  readonly maxAge: number
  /** Names of headers, prefixes such as `x-ms-*`, or `*` for all. */
  readonly exposedHeaders: readonly string[]
  /** Names of headers, prefixes such as `x-ms-*`, or `*` for all. */
  readonly allowedHeaders: readonly string[]
}

/** The properties of one account's table service. */
export interface ServiceProperties {
  /** Which requests are logged. */
  readonly logging: Logging
  /** The hourly metrics. */
  readonly hourMetrics: Metrics
  /** The metrics by the minute. */
  readonly minuteMetrics: Metrics
  /** The first rule that matches a request decides. */
  readonly cors: readonly CorsRule[]
}

const KEEP: Retention = { enabled: false, days: undefined }
const NOT_COUNTED: Metrics = {
  version: '1.0',
  enabled: false,
  includeApis: undefined,
  retention: KEEP,
}

/** The properties of a new service. */
export const NEW_SERVICE: ServiceProperties = {
  logging: { version: '1.0', read: false, write: false, delete: false, retention: KEEP },
  hourMetrics: NOT_COUNTED,
  minuteMetrics: NOT_COUNTED,
  cors: [],
}
