import { checkPropertyName, type EdmType, edmCodecs, findDateTime, isEdmType } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import {
  endOfString,
  isSystemProperty,
  keptByName,
  type PrintedProperty,
  printProperty,
  type StoredProperty,
} from './entity-text.ts'

/** The JSON object in a request body: Doubles are annotated, and each member is unique. */
export type BodyMembers = Readonly<Record<string, unknown>>

/**
 * Reads a request body that must be one JSON object.
 *
 * @throws Rejection InvalidInput, or for a duplicate member
 */
export function readMembers(body: string): BodyMembers {
  const members = parseJson(body)
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw new Rejection('InvalidInput', {
      text: 'The request body must be one JSON object.',
    })
  }
  const { count, doubles } = namesIn(body)
  if (count !== Object.keys(members).length) checkDistinctMembers(body)
  for (const name of doubles) members[name + ANNOTATION] ??= 'Edm.Double'
  return members
}

function parseJson(body: string): Record<string, unknown> | null {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new Rejection('InvalidInput', {
      text: 'An error occurred while processing this request.',
      cause,
    })
  }
}

/** What `JSON.parse` does not show. */
interface Names {
  /** How many members there are. */
  readonly count: number
  /** The names of numbers that are written as Doubles, such as `3.0`. */
  readonly doubles: readonly string[]
}

const COLON = 0x3a
const SPACE = 0x20
const QUOTE = 0x22
const DOUBLE = /-?\d+[.eE]/y

function namesIn(json: string): Names {
  const doubles: string[] = []
  let count = 0
  visitNames(json, (start, end, colon) => {
    count++
    const value = skipBlanks(json, colon + 1)
    const isNumber = json.charCodeAt(value) < COLON && json.charCodeAt(value) !== QUOTE
    DOUBLE.lastIndex = value
    if (isNumber && DOUBLE.test(json)) doubles.push(parseName(json.slice(start, end)))
  })
  return { count, doubles }
}

/**
 * Rejects JSON with a duplicate member; `JSON.parse` would keep the last one without an error.
 *
 * @throws Rejection DuplicatePropertiesSpecified, or DuplicateKeyPropertySpecified
 */
export function checkDistinctMembers(json: string): void {
  const names = new Set<string>()
  visitNames(json, (start, end) => addName(names, parseName(json.slice(start, end))))
}

/**
 * Visits the names in valid JSON: the strings that a colon follows. Members of nested objects count as
 * members of the outer one; entities have none.
 */
function visitNames(
  json: string,
  visit: (start: number, end: number, colon: number) => void,
): void {
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = endOfString(json, start)
    const next = skipBlanks(json, end)
    if (json.charCodeAt(next) === COLON) visit(start, end, next)
    start = json.indexOf('"', end)
  }
}

function addName(names: Set<string>, name: string): void {
  if (names.has(name)) {
    const isKey = name === 'PartitionKey' || name === 'RowKey'
    throw new Rejection(isKey ? 'DuplicateKeyPropertySpecified' : 'DuplicatePropertiesSpecified')
  }
  names.add(name)
}

function parseName(literal: string): string {
  return literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1)
}

function skipBlanks(json: string, from: number): number {
  let at = from
  while (at < json.length && json.charCodeAt(at) <= SPACE) at += 1
  return at
}

const ANNOTATION = '@odata.type'

/**
 * Reads the properties of a request body in order, as the text of an entity has them, without nulls,
 * which are never stored. It checks all names before the first value.
 *
 * @param flavour - the service that reads them; Table storage when absent
 * @throws Rejection for an invalid name or value
 */
export function decodeProperties(members: BodyMembers, flavour?: Flavour): PrintedProperty[] {
  const isCosmos = flavour === 'cosmos'
  const names = Object.keys(members).map(isCosmos ? readCosmosName : readName)
  const properties: PrintedProperty[] = []
  for (const { name, annotation, isProperty } of names) {
    // Cosmos DB stores one of the two.
    if (!isProperty || (isCosmos && name === 'Etag' && 'etag' in members)) continue
    const value = members[name]
    const type = members[annotation]
    if (isCosmos) checkWhole(value, type)
    if (value !== null) properties.push(decodeProperty(name, value, type))
    else if (type !== undefined) readType(type)
  }
  return properties
}

/** The name of a member, which is a property or something else. */
interface MemberName {
  readonly name: string
  /** The name of the member with the type of this one. */
  readonly annotation: string
  /** False for control information, the keys, and the Timestamp, which only the service sets. */
  readonly isProperty: boolean
}

const readName = keptByName((name) => memberName(name, 'storage'))
const readCosmosName = keptByName((name) => memberName(name, 'cosmos'))

function memberName(name: string, flavour: Flavour): MemberName {
  const isControl = name.endsWith(ANNOTATION) || name.startsWith('odata.')
  const isProperty = !isSystemProperty(name) && !isControl
  if (isProperty) checkMemberName(name, flavour)
  return { name, annotation: name + ANNOTATION, isProperty }
}

/** The largest number of 64 bits, as near as a Double comes to it. */
const MAX_WHOLE = 2 ** 63

/**
 * Rejects what only Cosmos DB rejects: a whole number of more than 64 bits without an annotation.
 *
 * @throws Rejection InvalidInput
 */
function checkWhole(json: unknown, annotation: unknown): void {
  if (annotation === undefined && typeof json === 'number' && Math.abs(json) > MAX_WHOLE) {
    throw new Rejection('InvalidInput')
  }
}

const PREFIX = 'Edm.'
const MIN_INT32 = -(2 ** 31)
const MAX_INT32 = 2 ** 31 - 1

/** Texts of values that are stored as they came. All others are decoded and printed. */
const PRINTED: { readonly [Type in EdmType]?: RegExp } = {
  Binary: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/,
  Int64: /^(?:0|-?[1-9]\d{0,17})$/,
}

/**
 * Reads one property.
 *
 * @param name - the name of the property
 * @param json - its parsed value, not null
 * @param annotation - the value of `<name>@odata.type`
 */
export function decodeProperty(name: string, json: unknown, annotation: unknown): PrintedProperty {
  const type = annotation === undefined ? inferType(name, json) : readType(annotation)
  if (typeof json === 'string' && PRINTED[type]?.test(json)) {
    return { name, type, json: `"${json}"` }
  }
  if (isBeyondDouble(json, type)) {
    throw new Rejection('InvalidInput', { text: `The number '${name}' is beyond a Double.` })
  }
  try {
    // The codec has the same type; the compiler cannot relate two lookups by one name.
    const value = edmCodecs[type].readJson(fromText(type, json), name)
    return printProperty(name, { type, value } as StoredProperty)
  } catch (cause) {
    if (type === 'DateTime' && typeof json === 'string' && isDateOfAnyYear(json)) {
      throw new Rejection('OutOfRangeInput', { text: outOfRange(name, json), cause })
    }
    throw new Rejection('InvalidInput', {
      text: type === 'Int64' ? 'An error occurred while processing this request.' : undefined,
      cause,
    })
  }
}

/** Converts annotated text. Azure Storage Explorer sends a Boolean or an Int32 as text. */
function fromText(type: EdmType, json: unknown): unknown {
  if (typeof json !== 'string') return json
  if (type === 'Boolean' && /^(?:true|false)$/i.test(json)) return json.toLowerCase() === 'true'
  if (type === 'Int32' && /^-?\d+$/.test(json)) return Number(json)
  return json
}

/** Tells whether digits, as a number or as text, are too large for a Double. */
function isBeyondDouble(json: unknown, type: EdmType): boolean {
  const isDigits = type === 'Double' && typeof json === 'string' && /\d/.test(json)
  const number = isDigits ? Number(json) : json
  return number === Number.POSITIVE_INFINITY || number === Number.NEGATIVE_INFINITY
}

/** Tells whether a rejected date is before 1601 or after 9999: it is valid with another year. */
function isDateOfAnyYear(text: string): boolean {
  return findDateTime(text.replace(/^-?\d{4,}(?=-)/, '2001')) !== undefined
}

/** Prints the text about a date before 1601; `undefined`, for the general one, of a later date. */
function outOfRange(name: string, text: string): string | undefined {
  const [, year, month, day, time = '00:00', second = '00'] = EARLY_DATE.exec(text) ?? []
  if (year === undefined) return undefined
  return `The '${name}' parameter of value '${month}/${day}/${year} ${time}:${second}' is out of range.`
}

/** A date before 1601 in UTC. */
const EARLY_DATE =
  /^((?:0\d|1[0-5])\d\d|1600)-(\d\d)-(\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.\d*)?)?Z?)?$/

function readType(annotation: unknown): EdmType {
  if (typeof annotation === 'string' && annotation.startsWith(PREFIX)) {
    const type = annotation.slice(PREFIX.length)
    if (isEdmType(type)) return type
  }
  throw new Rejection('InvalidValueType')
}

/** Infers the type of a value without an annotation. A whole number beyond 32 bits is a Double. */
function inferType(name: string, json: unknown): EdmType {
  switch (typeof json) {
    case 'string':
      return 'String'
    case 'boolean':
      return 'Boolean'
    case 'number':
      return isInt32(json) ? 'Int32' : 'Double'
    default:
      throw new Rejection('InvalidInput', {
        text: `The property '${name}' is neither a string, a number nor a Boolean.`,
      })
  }
}

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= MIN_INT32 && value <= MAX_INT32
}

/** UTF-16 units of a property's name. */
const MAX_PROPERTY_NAME_LENGTH = 255

/**
 * Rejects a property name that is too long or not an identifier.
 *
 * @param flavour - the service that rejects it, in its own words; Table storage when absent
 * @throws Rejection PropertyNameTooLong, or PropertyNameInvalid
 */
export function checkMemberName(name: string, flavour?: Flavour): void {
  if (name.length > MAX_PROPERTY_NAME_LENGTH) throw new Rejection('PropertyNameTooLong')
  try {
    checkPropertyName(name)
  } catch (cause) {
    const text = flavour === 'cosmos' ? `The property name '${name}' is invalid.` : undefined
    throw new Rejection('PropertyNameInvalid', { text, cause })
  }
}
