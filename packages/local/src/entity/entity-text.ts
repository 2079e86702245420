import {
  type DateTimeValue,
  type EdmType,
  type EntityKey,
  edmCodecs,
  printDateTime,
} from '@rowkey/odata'
import { printJsonString } from '../response/ascii-json.ts'
import { isSystemProperty, type StoredProperties, type StoredProperty } from './stored-entity.ts'

/** An entity as {@link StoredEntity.text} has it. It says all there is: no value is lost in it. */
export function printEntityText(
  key: EntityKey,
  timestamp: DateTimeValue,
  properties: StoredProperties,
): string {
  const members = [
    `"PartitionKey":${printJsonString(key.partitionKey)}`,
    `"RowKey":${printJsonString(key.rowKey)}`,
    `"Timestamp":"${printDateTime(timestamp)}"`,
  ]
  for (const [name, property] of properties) members.push(printMember(name, property))
  // Joined, it is one text in memory; added up, it would be put together anew by each answer.
  return members.join(',')
}

/** The custom properties in the text of an entity. */
export function parseProperties(text: string): StoredProperties {
  const properties = new Map<string, StoredProperty>()
  for (let start = 0; start < text.length; ) {
    const member = readTextMember(text, start)
    if (!isSystemProperty(member.name)) properties.set(member.name, propertyIn(member))
    start = member.end + 1
  }
  return properties
}

function printMember(name: string, property: StoredProperty): string {
  const label = printJsonString(name)
  const member = `${label}:${printValue(property)}`
  if (!isAnnotated(property)) return member
  return `${label.slice(0, -1)}@odata.type":"Edm.${property.type}",${member}`
}

/** Only a String holds what is beyond ASCII. */
function printValue({ type, value }: StoredProperty): string {
  if (type === 'String') return printJsonString(value)
  // The codec is that of the value's own type; the compiler cannot follow two lookups by one name.
  return edmCodecs[type].writeJson(value as never)
}

/** The service annotates what JSON alone does not show. */
function isAnnotated({ type, value }: StoredProperty): boolean {
  switch (type) {
    case 'Binary':
    case 'DateTime':
    case 'Guid':
    case 'Int64':
      return true
    case 'Double':
      return !Number.isFinite(value)
    default:
      return false
  }
}

/** One property where it stands in the text of an entity. */
export interface TextMember {
  /** The property's name, decoded. */
  readonly name: string
  /** As it is annotated, or as its JSON shows it. */
  readonly type: EdmType
  /** Its value's JSON. */
  readonly json: string
  /** Where it begins, with its annotation if there is one. */
  readonly start: number
  /** One past its end: where a comma stands, or the text has ended. */
  readonly end: number
}

const ANNOTATION = '@odata.type'
const PREFIX = 'Edm.'
const QUOTE = '"'

/** What every property's name fits. Text that does may be searched for: it cannot be found in a value. */
const NAME = /^[\w\u0080-\uffff]{1,255}$/

/** How the member of a name begins: `"name":`, or `"name@odata.type":` where its type must be said. */
interface MemberBeginning {
  readonly plain: string
  readonly annotated: string
}

/** The same few names are looked for in row after row. This many are kept at most. */
const KEPT_NAMES = 1_000
const beginnings = new Map<string, MemberBeginning>()

/**
 * The member that begins at a place in the text of an entity.
 *
 * Names hold no quotes, so the next one ends a name; and only a printed entity is read here, where an
 * annotation stands before its property.
 */
export function readTextMember(text: string, start: number): TextMember {
  let close = text.indexOf(QUOTE, start + 1)
  let label = text.slice(start + 1, close)
  let annotated: EdmType | undefined
  if (label.endsWith(ANNOTATION)) {
    const typeEnd = text.indexOf(QUOTE, close + 3)
    // Only `printEntityText` wrote it, so that it is a type.
    annotated = text.slice(close + 3 + PREFIX.length, typeEnd) as EdmType
    close = text.indexOf(QUOTE, typeEnd + 3)
    label = text.slice(typeEnd + 3, close)
  }
  const end = endOfValue(text, close + 2)
  const json = text.slice(close + 2, end)
  return { name: parseName(label), type: annotated ?? shownType(json), json, start, end }
}

/** Where a property stands in the text of an entity; `undefined` when it has none of that name. */
export function findTextMember(text: string, name: string): TextMember | undefined {
  const beginning = beginningOf(name)
  if (beginning === undefined) return undefined
  const annotated = text.indexOf(beginning.annotated)
  const start = annotated < 0 ? text.indexOf(beginning.plain) : annotated
  return start < 0 ? undefined : readTextMember(text, start)
}

/** `undefined` for what no property is called. */
function beginningOf(name: string): MemberBeginning | undefined {
  let beginning = beginnings.get(name)
  if (beginning === undefined && NAME.test(name)) {
    const label = printJsonString(name)
    beginning = { plain: `${label}:`, annotated: `${label.slice(0, -1)}${ANNOTATION}":` }
    if (beginnings.size >= KEPT_NAMES) beginnings.clear()
    beginnings.set(name, beginning)
  }
  return beginning
}

/** The property that a member is. */
export function propertyIn({ name, type, json }: TextMember): StoredProperty {
  // The codec is that of the type; the compiler cannot follow two lookups by one name.
  return { type, value: edmCodecs[type].readJson(parseJson(json), name) } as StoredProperty
}

function endOfValue(text: string, start: number): number {
  if (text[start] === QUOTE) return endOfString(text, start)
  const comma = text.indexOf(',', start)
  return comma < 0 ? text.length : comma
}

/** The type of a value that is not annotated: a Double is never written without a `.` or an `e`. */
function shownType(json: string): EdmType {
  switch (json[0]) {
    case QUOTE:
      return 'String'
    case 't':
    case 'f':
      return 'Boolean'
    default:
      return /[.e]/.test(json) ? 'Double' : 'Int32'
  }
}

function parseJson(json: string): unknown {
  const isPlainText = json[0] === QUOTE && !json.includes('\\')
  return isPlainText ? json.slice(1, -1) : JSON.parse(json)
}

function parseName(label: string): string {
  return label.includes('\\') ? JSON.parse(`"${label}"`) : label
}

const BACKSLASH = 0x5c

/** Where the JSON string that begins at `start` has ended: one past its closing quote. */
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
