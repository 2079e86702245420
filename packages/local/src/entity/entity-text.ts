import {
  type DateTimeValue,
  type EdmType,
  type EdmValue,
  type EntityKey,
  edmCodecs,
  printDateTime,
} from '@rowkey/odata'
import { printJsonString } from '../response/service-response.ts'

/** A value and its type. */
export type StoredProperty = {
  [Type in EdmType]: { readonly type: Type; readonly value: EdmValue<Type> }
}[EdmType]

/** A property as the text of an entity has it. */
export interface PrintedProperty {
  /** The decoded name. */
  readonly name: string
  /** The type of the value. */
  readonly type: EdmType
  /** The JSON of the value, in ASCII. */
  readonly json: string
}

/** Prints an entity as {@link StoredEntity.text}. It loses no value. */
export function printEntityText(
  key: EntityKey,
  timestamp: DateTimeValue,
  properties: readonly PrintedProperty[],
): string {
  const members = [
    `"PartitionKey":${printJsonString(key.partitionKey)}`,
    `"RowKey":${printJsonString(key.rowKey)}`,
    `"Timestamp":"${printDateTime(timestamp)}"`,
  ]
  for (const property of properties) members.push(printMember(property))
  // Joining makes one flat text; adding up makes a text that each response would flatten again.
  return members.join(',')
}

/** Lists the properties in the text of an entity: PartitionKey, RowKey, Timestamp, and then the custom ones. */
export function membersIn(text: string): TextMember[] {
  const members: TextMember[] = []
  for (let start = 0; start < text.length; ) {
    const member = readTextMember(text, start)
    members.push(member)
    start = member.end + 1
  }
  return members
}

/** Tells whether a name is PartitionKey, RowKey or Timestamp. */
export function isSystemProperty(name: string): boolean {
  return name === 'PartitionKey' || name === 'RowKey' || name === 'Timestamp'
}

function printMember(property: PrintedProperty): string {
  const { name, type, json } = property
  const { plain, annotated } = beginningOf(name)
  return isAnnotated(property) ? `${annotated}"Edm.${type}",${plain}${json}` : plain + json
}

/** Prints a property. Only a String can contain characters beyond ASCII. */
export function printProperty(name: string, { type, value }: StoredProperty): PrintedProperty {
  if (type === 'String') return { name, type, json: printJsonString(value) }
  // The codec has the value's own type; the compiler cannot relate two lookups by one name.
  const json = edmCodecs[type].writeJson(value as never)
  return { name, type, json: type === 'Double' ? json.replace(EXPONENT, printExponent) : json }
}

const EXPONENT = /e([+-]?)(\d+)$/

/** Prints an exponent as the service does: `E+24`, `E-07`. */
function printExponent(_: string, sign: string, digits: string): string {
  return `E${sign || '+'}${digits.padStart(2, '0')}`
}

/** Tells whether the service annotates a value: JSON alone does not show its type. */
export function isAnnotated({ type, json }: Omit<PrintedProperty, 'name'>): boolean {
  return type !== 'String' && json.startsWith(QUOTE)
}

/** One property in the text of an entity. */
export interface TextMember extends PrintedProperty {
  /** Where it begins, including its annotation. */
  readonly start: number
  /** Where it ends: at a comma, or at the end of the text. */
  readonly end: number
}

const ANNOTATION = '@odata.type'
const PREFIX = 'Edm.'
const QUOTE = '"'

/**
 * Matches every property's name. A text that matches can be searched for: it cannot occur in a
 * value.
 */
const NAME = /^[\w\u0080-\uffff]{1,255}$/

/** The beginning of a member: `"name":`, or `"name@odata.type":` when it is annotated. */
interface MemberBeginning {
  readonly isSearchable: boolean
  readonly plain: string
  /** Without its first quote: quotes are everywhere, and a search for a letter is faster. */
  readonly unquoted: string
  readonly annotated: string
}

/** The most names to keep something for, and their most characters. */
const KEPT_NAMES = 1_000
const MAX_KEPT_NAME = 255

/** Makes a value for each name once: writes and queries have the same few names in every row. */
export function keptByName<Value>(make: (name: string) => Value): (name: string) => Value {
  const kept = new Map<string, Value>()
  return (name) => {
    let value = kept.get(name)
    if (value === undefined) {
      value = make(name)
      if (kept.size >= KEPT_NAMES) kept.clear()
      if (name.length <= MAX_KEPT_NAME) kept.set(name, value)
    }
    return value
  }
}

const beginningOf = keptByName((name): MemberBeginning => {
  const label = printJsonString(name)
  return {
    isSearchable: NAME.test(name),
    plain: `${label}:`,
    unquoted: `${label.slice(1)}:`,
    annotated: `${label.slice(0, -1)}${ANNOTATION}":`,
  }
})

/**
 * Reads the member that begins at a place in the text of an entity.
 *
 * Names contain no quotes, so the next quote ends a name. The text was printed here, so an
 * annotation precedes its property.
 */
export function readTextMember(text: string, start: number): TextMember {
  let close = text.indexOf(QUOTE, start + 1)
  let label = text.slice(start + 1, close)
  let annotated: EdmType | undefined
  if (label.endsWith(ANNOTATION)) {
    const typeEnd = text.indexOf(QUOTE, close + 3)
    // `printEntityText` wrote it, so it is a type.
    annotated = text.slice(close + 3 + PREFIX.length, typeEnd) as EdmType
    close = text.indexOf(QUOTE, typeEnd + 3)
    label = text.slice(typeEnd + 3, close)
  }
  const end = endOfValue(text, close + 2)
  const json = text.slice(close + 2, end)
  return { name: parseName(label), type: annotated ?? shownType(json), json, start, end }
}

/** Finds a property in the text of an entity; `undefined` when it is missing. */
export function findTextMember(text: string, name: string): TextMember | undefined {
  const { isSearchable, plain, unquoted, annotated } = beginningOf(name)
  if (!isSearchable) return undefined
  let letter = text.indexOf(unquoted)
  while (letter >= 0 && text[letter - 1] !== QUOTE) letter = text.indexOf(unquoted, letter + 1)
  if (letter < 0) return undefined
  const label = letter - 1
  const valueStart = label + plain.length
  const end = endOfValue(text, valueStart)
  const json = text.slice(valueStart, end)
  // An annotation ends right before the name.
  const typeStart = text.lastIndexOf(QUOTE, label - 3) + 1
  const start = typeStart - annotated.length - 1
  if (json[0] !== QUOTE || !text.startsWith(annotated, start)) {
    return { name, type: shownType(json), json, start: label, end }
  }
  const type = text.slice(typeStart + PREFIX.length, label - 2) as EdmType
  return { name, type, json, start, end }
}

/** Decodes a property. */
export function propertyIn({ name, type, json }: PrintedProperty): StoredProperty {
  // The codec has the same type; the compiler cannot relate two lookups by one name.
  return { type, value: edmCodecs[type].readJson(parseJson(json), name) } as StoredProperty
}

function endOfValue(text: string, start: number): number {
  if (text[start] === QUOTE) return endOfString(text, start)
  const comma = text.indexOf(',', start)
  return comma < 0 ? text.length : comma
}

/** Infers the type of a value without an annotation. A Double always contains a `.` or an `E`; an `e` in old folders. */
function shownType(json: string): EdmType {
  switch (json[0]) {
    case QUOTE:
      return 'String'
    case 't':
    case 'f':
      return 'Boolean'
    default:
      return /[.eE]/.test(json) ? 'Double' : 'Int32'
  }
}

function parseJson(json: string): unknown {
  if (json[0] === QUOTE) return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1)
  return json[0] === 't' || json[0] === 'f' ? json === 'true' : Number(json)
}

function parseName(label: string): string {
  return label.includes('\\') ? JSON.parse(`"${label}"`) : label
}

const BACKSLASH = 0x5c

/** Finds the end of the JSON string that begins at `start`: one past its closing quote. */
export function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1)
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1
  while (json.charCodeAt(before) === BACKSLASH) before -= 1
  return (at - before) % 2 === 0
}
