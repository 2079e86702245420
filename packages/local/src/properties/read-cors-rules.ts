import { ServiceFault } from '../fault/service-fault.ts'
import { membersOf } from '../xml/members-of.ts'
import type { XmlElement } from '../xml/xml-element.ts'
import { readList, readNumber } from './read-values.ts'
import type { CorsRule } from './service-properties.ts'

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

function malformed(): ServiceFault {
  return new ServiceFault('InvalidXmlDocument')
}
