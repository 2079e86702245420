import { type DateTimeValue, findDateTime } from '../edm/date-time-value.ts'
import { odataDecodeError } from '../errors/codes.ts'
import type { EntityKey } from './entity-key.ts'
import { annotationName, isAnnotation } from './entity-property.ts'

/**
 * One entity as it came over the wire, as a parsed JSON object. `<name>@odata.type` is beside every value
 * whose type the JSON alone does not show, such as whole Doubles (see `parseEntityJson`).
 */
export interface RawEntity {
  readonly [member: string]: unknown
}

/**
 * Tells whether parsed JSON can be an entity: it is an object, and not an array.
 *
 * @param json - the result of `parseEntityJson`
 */
export function isRawEntity(json: unknown): json is RawEntity {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/**
 * Returns the key of an entity as it came. A half that a projection left out is `''`.
 *
 * @param raw - the entity
 * @throws {@link DecodeError} (`UnreadableProperty`) when a half is not a string
 *
 * @example
 * ```ts
 * keyOfRaw({ PartitionKey: 'Smith', RowKey: 'Jeff' }) // { partitionKey: 'Smith', rowKey: 'Jeff' }
 * ```
 */
export function keyOfRaw(raw: RawEntity): EntityKey {
  return { partitionKey: halfOf(raw, 'PartitionKey'), rowKey: halfOf(raw, 'RowKey') }
}

function halfOf(raw: RawEntity, name: 'PartitionKey' | 'RowKey'): string {
  const value = raw[name] ?? ''
  if (typeof value === 'string') return value
  const message = `The stored ${name} is a ${typeof value}; every key is a string.`
  throw odataDecodeError('UnreadableProperty', message, { property: name })
}

const ETAG = /^W\/"datetime'([^'%]*)%3A([^'%]*)%3A([^'%]*)'"$/i

/**
 * Reads the Timestamp that an ETag carries: the service makes one from the other.
 *
 * ETags are opaque. Services other than Azure's may make them differently: then the Timestamp is missing.
 *
 * @param etag - such as `W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`
 * @returns `undefined` when the ETag has another form
 *
 * @example
 * ```ts
 * timestampOfEtag(`W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`)?.toJSON() // '2017-11-10T02:46:55.7383596Z'
 * ```
 */
export function timestampOfEtag(etag: string): DateTimeValue | undefined {
  const match = ETAG.exec(etag)
  return match === null ? undefined : findDateTime(`${match[1]}:${match[2]}:${match[3]}`)
}

/** A colon and a whole number in the form of a Double: `:3.0`, `:1E3`. */
const WHOLE_VALUE = String.raw`[ \t\r\n]*:[ \t\r\n]*-?\d+(?:\.0+|(?:\.\d+)?[eE][+-]?\d+)(?=[ \t\r\n,\]}])`
/** The same after the quote that closes a name. */
const WHOLE_DOUBLE = new RegExp(`"${WHOLE_VALUE}`, 'g')
const WHOLE_DOUBLE_HERE = new RegExp(`"${WHOLE_VALUE}`, 'y')

/** A name, and no separator of two strings. Names of annotations have an `@` or a dot. */
const PLAIN_NAME = /^[^:,[\]{}@.\\]+$/

/** The end of a member that annotates the next one, from the end of its name on. */
const ANNOTATION_END = /@odata\.type"[ \t\r\n]*:[ \t\r\n]*"Edm\.\w+"[ \t\r\n]*,[ \t\r\n]*$/

/** Room for an annotation around the name: `"@odata.type":"Edm.DateTime",` and some blanks. */
const ANNOTATION_LENGTH = 64

/**
 * Parses the JSON of an entity, a page or a request. It keeps what `JSON.parse` alone loses: a whole
 * number that was written as a Double (`3.0`) gets a `name@odata.type` of `Edm.Double`.
 *
 * Members with an annotation right before or after them stay as they are; services write it before.
 * Everything else is as `JSON.parse` returns it.
 *
 * @param text - JSON without a byte order mark
 * @throws `SyntaxError` when the text is not JSON
 *
 * @example
 * ```ts
 * parseEntityJson('{"price":3.0,"count":3}')
 * // { 'price@odata.type': 'Edm.Double', price: 3, count: 3 }
 * ```
 */
export function parseEntityJson(text: string): unknown {
  const json: unknown = JSON.parse(text)
  return annotateParsed(json, text) ? json : JSON.parse(annotateExactly(text))
}

/**
 * Parses the JSON of one entity as {@link parseEntityJson} does.
 *
 * @param text - JSON without a byte order mark
 * @throws {@link DecodeError} (`InvalidEntityJson`) when the text is not the JSON of an object
 *
 * @example
 * ```ts
 * parseEntityObject('{"PartitionKey":"a","RowKey":"b"}').RowKey // 'b'
 * ```
 */
export function parseEntityObject(text: string): RawEntity {
  const json = parsed(text)
  if (isRawEntity(json)) return json
  throw odataDecodeError('InvalidEntityJson', 'The JSON of an entity must be an object.')
}

function parsed(text: string): unknown {
  try {
    return parseEntityJson(text)
  } catch (cause) {
    throw odataDecodeError('InvalidEntityJson', 'The text is not JSON.', {}, cause)
  }
}

/**
 * Annotates the whole Doubles of parsed objects: an entity, or a page and its entities. Most texts contain only these.
 *
 * @returns `false`, perhaps after a part of the work, when the text may contain something else
 */
function annotateParsed(json: unknown, text: string): boolean {
  WHOLE_DOUBLE.lastIndex = 0
  if (!WHOLE_DOUBLE.test(text)) return true
  if (!isRawEntity(json)) return false
  const { value } = json
  const isPage = Array.isArray(value) && value.every(isRawEntity) && text.endsWith('}]}')
  const objects: Record<string, unknown>[] = isPage ? [json, ...value] : [json]
  const starts = objectsIn(text)
  if (starts?.length !== objects.length) return false
  const annotations = new Map<string, string>()
  let at = 0
  do {
    const close = text.lastIndexOf('"', WHOLE_DOUBLE.lastIndex)
    while ((starts[at + 1] ?? text.length) < close) at++
    const object = objects[at]
    const open = text.lastIndexOf('"', close - 1)
    const name = text.slice(open + 1, close)
    if (object === undefined || text[open - 1] === '\\' || !PLAIN_NAME.test(name)) return false
    const annotation = annotations.get(name) ?? annotationName(name)
    annotations.set(name, annotation)
    if (object[annotation] === undefined) object[annotation] = 'Edm.Double'
    else if (!isAnnotated(text, open, name)) return false
  } while (WHOLE_DOUBLE.test(text))
  return true
}

/** Returns where objects start, and strings that end with a brace; `undefined` when an object starts otherwise. */
function objectsIn(text: string): number[] | undefined {
  const starts: number[] = []
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    const next = text.charAt(at + 1)
    if (next === '"') starts.push(at)
    else if (' \t\r\n}'.includes(next)) return undefined
  }
  return starts
}

/** Annotates by reading every string of the text, from the first one on. */
function annotateExactly(text: string): string {
  let annotated = ''
  let copied = 0
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = closingQuote(text, open)
    if (close < 0) break
    WHOLE_DOUBLE_HERE.lastIndex = close
    if (WHOLE_DOUBLE_HERE.test(text)) {
      annotated += text.slice(copied, close) + annotationAt(text, open, close)
      copied = close
    }
    open = text.indexOf('"', close + 1)
  }
  return annotated + text.slice(copied)
}

function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close >= 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close
}

/** Tells whether the quote at `at` is escaped, if it is within a string. */
function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}

/**
 * Returns what to insert before the quote that closes a name, so that an annotation comes first: the rest
 * of the annotation, and the name again. It is empty for an annotation and for a member that has one.
 */
function annotationAt(text: string, open: number, close: number): string {
  const name = text.slice(open + 1, close)
  if (isAnnotation(name) || isAnnotated(text, open, name)) return ''
  return `@odata.type":"Edm.Double","${name}`
}

function isAnnotated(text: string, open: number, name: string): boolean {
  // Most members come right after a number or at the start: then no annotation comes before them.
  if (text[open - 1] === '{' || /\d/.test(text[open - 2] ?? '')) return false
  const start = Math.max(0, open - name.length - ANNOTATION_LENGTH)
  const before = text.slice(start, open)
  const end = before.search(ANNOTATION_END)
  if (end < 0 || !before.endsWith(`"${name}`, end)) return false
  return !isEscaped(text, start + end - name.length - 1)
}
