import {
  checkPropertyName,
  type EdmType,
  edmCodecs,
  isEdmType,
  parseDateTime,
  parseEntityJson,
} from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'
import {
  endOfString,
  isSystemProperty,
  type PrintedProperty,
  printProperty,
  type StoredProperty,
} from './entity-text.ts'

/** The JSON object in a request body: whole Doubles are annotated, and each member is unique. */
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
  checkDistinctMembers(body)
  return members as BodyMembers
}

function parseJson(body: string): unknown {
  try {
    return parseEntityJson(body)
  } catch (cause) {
    throw new Rejection('InvalidInput', {
      text: 'An error occurred while processing this request.',
      cause,
    })
  }
}

const COLON = 0x3a
const SPACE = 0x20

/**
 * Rejects JSON with a duplicate member; `JSON.parse` would keep the last one without an error.
 *
 * It looks only at strings that a colon follows, so the text must be valid JSON. Members of nested
 * objects count as members of the outer one; entities have none.
 *
 * @throws Rejection DuplicatePropertiesSpecified, or DuplicateKeyPropertySpecified
 */
export function checkDistinctMembers(json: string): void {
  const names = new Set<string>()
  let start = json.indexOf('"')
  while (start >= 0) {
    const end = endOfString(json, start)
    if (json.charCodeAt(skipBlanks(json, end)) === COLON) {
      addName(names, json.slice(start, end))
    }
    start = json.indexOf('"', end)
  }
}

function addName(names: Set<string>, literal: string): void {
  const name: string = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1)
  if (names.has(name)) {
    const isKey = name === 'PartitionKey' || name === 'RowKey'
    throw new Rejection(isKey ? 'DuplicateKeyPropertySpecified' : 'DuplicatePropertiesSpecified')
  }
  names.add(name)
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
 * @throws Rejection for an invalid name or value
 */
export function decodeProperties(members: BodyMembers): PrintedProperty[] {
  const names = Object.keys(members).filter(isProperty)
  for (const name of names) checkMemberName(name)
  const properties: PrintedProperty[] = []
  const types = annotationsIn(members)
  for (const name of names) {
    const value = members[name]
    const annotation = types?.get(name)
    if (value !== null) properties.push(decodeProperty(name, value, annotation))
    else if (annotation !== undefined) readType(annotation)
  }
  return properties
}

/** Leaves out control information, the keys, and the Timestamp, which only the service sets. */
function isProperty(name: string): boolean {
  return !isSystemProperty(name) && !name.endsWith(ANNOTATION) && !name.startsWith('odata.')
}

/** Returns the annotations by the names of their properties; `undefined` without annotations. */
function annotationsIn(members: BodyMembers): ReadonlyMap<string, unknown> | undefined {
  let types: Map<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    if (!name.endsWith(ANNOTATION)) continue
    types ??= new Map()
    types.set(name.slice(0, -ANNOTATION.length), members[name])
  }
  return types
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
    const isFarOff = type === 'DateTime' && typeof json === 'string' && isDateOfAnyYear(json)
    throw new Rejection(isFarOff ? 'OutOfRangeInput' : 'InvalidInput', { cause })
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
  try {
    parseDateTime(text.replace(/^-?\d{4,}(?=-)/, '2001'))
    return true
  } catch {
    return false
  }
}

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
 * @throws Rejection PropertyNameTooLong, or PropertyNameInvalid
 */
export function checkMemberName(name: string): void {
  if (name.length > MAX_PROPERTY_NAME_LENGTH) throw new Rejection('PropertyNameTooLong')
  try {
    checkPropertyName(name)
  } catch (cause) {
    throw new Rejection('PropertyNameInvalid', { cause })
  }
}
