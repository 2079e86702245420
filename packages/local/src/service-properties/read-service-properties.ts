import { Rejection } from '../rejection/rejection.ts'
import { membersOf, parseXml, textOf, type XmlElement } from '../xml/parse-xml.ts'
import type {
  CorsRule,
  Logging,
  Metrics,
  Retention,
  ServiceProperties,
} from './service-properties.ts'

const MAX_DAYS = 365

/**
 * Reads the settings that a service is to have. What the document leaves out is left as it is; what
 * it gives must be whole.
 *
 * @throws Rejection InvalidXmlDocument, as the service says of a wrong value too
 */
export function readServiceProperties(body: string): Partial<ServiceProperties> {
  const root = parseXml(body)
  if (root.name !== 'StorageServiceProperties') throw new Rejection('InvalidXmlDocument')
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

/** What only counts when something is enabled may be there without it, and counts for nothing. */
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
  if (element === undefined) throw new Rejection('InvalidXmlDocument')
  const { Enabled, Days } = membersOf(element, ['Enabled', 'Days'])
  const enabled = readBoolean(Enabled)
  return { enabled, days: enabled ? readNumber(Days, 1, MAX_DAYS) : undefined }
}

function readVersion(element: XmlElement | undefined): string {
  const version = textOf(element).trim()
  if (!/^\d\.\d$/.test(version)) throw new Rejection('InvalidXmlDocument')
  return version
}

const MAX_RULES = 5
/** Characters of all rules together. */
const MAX_TEXT_LENGTH = 2048
const MAX_ORIGINS = 64
const MAX_LITERAL_HEADERS = 64
const MAX_PREFIXED_HEADERS = 2
/** Characters of an origin or of a header's name. */
const MAX_NAME_LENGTH = 256
const MAX_SECONDS = 2_147_483_647

/** What HTTP takes for a header's name; any other could not be sent in the headers of an answer. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

const METHODS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'MERGE',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
])

const NAMES = [
  'AllowedOrigins',
  'AllowedMethods',
  'MaxAgeInSeconds',
  'ExposedHeaders',
  'AllowedHeaders',
] as const

/** Reads the rules of a service; an empty element gives none. */
export function readCorsRules(element: XmlElement): readonly CorsRule[] {
  const { children } = element
  const areRules = children.every(({ name }) => name === 'CorsRule') && element.text.trim() === ''
  if (!areRules || children.length > MAX_RULES) throw malformed()
  const rules = children.map(readRule)
  if (rules.reduce((length, rule) => length + lengthOf(rule), 0) > MAX_TEXT_LENGTH) {
    throw malformed()
  }
  return rules
}

function readRule(element: XmlElement): CorsRule {
  const members = membersOf(element, NAMES)
  const allowedOrigins = readList(members.AllowedOrigins)
  const allowedMethods = readList(members.AllowedMethods)
  const areMethods = allowedMethods.every((method) => METHODS.has(method))
  if (allowedOrigins.length < 1 || allowedOrigins.length > MAX_ORIGINS) throw malformed()
  if (allowedMethods.length < 1 || !areMethods) throw malformed()
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
  if (!names.every((name) => HEADER_NAME.test(name))) throw malformed()
  if (prefixed > MAX_PREFIXED_HEADERS || names.length - prefixed > MAX_LITERAL_HEADERS) {
    throw malformed()
  }
  return names
}

function checkNames(names: readonly string[]): void {
  if (!names.every((name) => name !== '' && name.length <= MAX_NAME_LENGTH)) throw malformed()
}

function lengthOf({ allowedOrigins, allowedMethods, exposedHeaders, allowedHeaders }: CorsRule) {
  return [allowedOrigins, allowedMethods, exposedHeaders, allowedHeaders].join().length
}

function malformed(): Rejection {
  return new Rejection('InvalidXmlDocument')
}

/** Of an element that must be there: `true` or `false`, in any case. */
export function readBoolean(element: XmlElement | undefined): boolean {
  const text = textOf(element).trim().toLowerCase()
  if (text !== 'true' && text !== 'false') throw new Rejection('InvalidXmlDocument')
  return text === 'true'
}

/** Of an element that must be there: a whole number from `low` to `high`. */
export function readNumber(element: XmlElement | undefined, low: number, high: number): number {
  const text = textOf(element).trim()
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= low && number <= high) return number
  throw new Rejection('InvalidXmlDocument')
}

/** Of an element that must be there: the names between its commas; none when it is empty. */
export function readList(element: XmlElement | undefined): readonly string[] {
  const text = textOf(element).trim()
  return text === '' ? [] : text.split(',').map((name) => name.trim())
}
