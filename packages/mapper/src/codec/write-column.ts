import {
  describeKind,
  type EdmType,
  type EntityKey,
  edmCodecs,
  InputError,
  inferEdmType,
  parseEntityObject,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'
import { memberJson, type StoredValue, widen } from '../member/stored-member.ts'
import type { ColumnCodec } from './column-codec.ts'

/**
 * Writes the plain value of one column as a further member of a JSON object.
 *
 * @param stored - the stored value; `undefined` when it is missing or unknown
 * @returns empty text when the value is exactly the stored one; `undefined` without a value
 * @throws `InputError` (`InvalidPropertyValue`) when no Edm type stores it, or not the declared one
 */
export function changeOf(
  column: ColumnCodec,
  value: unknown,
  stored: StoredValue | undefined,
): string | undefined {
  if (value === undefined || value === null) return undefined
  const type = column.type ?? typeByValue(column, value, stored?.type)
  const before = stored && widen(stored, type)
  // Stored text may be invalid in a request, such as half a surrogate pair.
  if (before !== undefined && typeof value === 'string' && value === before) return ''
  const accepted = edmCodecs[type].accept(value, column.label)
  const text = memberJson(column.member, type, accepted)
  // Texts are compared, not values: NaN equals itself there, 0 differs from -0, and bytes need no
  // loop.
  return before !== undefined && memberJson(column.member, type, before) === text ? '' : text
}

/**
 * Returns the type of a column without a declared type: the type of the value. A number that is stored as
 * a Double stays a Double, and text that is stored as a Guid stays a Guid.
 */
function typeByValue(column: ColumnCodec, value: unknown, stored: EdmType | undefined): EdmType {
  if (column.kind !== undefined) checkKind(column.label, column.kind, value)
  if (stored === 'Double' && typeof value === 'number') return stored
  if (stored === 'Guid' && typeof value === 'string') return stored
  const type = inferEdmType(value)
  if (type !== undefined) return type
  throw new InputError({
    code: 'InvalidPropertyValue',
    details: { property: column.label },
    message: `${column.label}: No Edm type stores ${describeKind(value)}. Put @Json() on it to store it as JSON text, @Convert() to store it as another value, or @Ignore() to leave it out.`,
  })
}

/**
 * Checks a value by what the compiler recorded of its member.
 *
 * @throws `InputError` (`InvalidPropertyValue`) for a value of another kind
 */
export function checkKind(label: string, kind: 'number' | 'string', value: unknown): void {
  if (typeof value === kind) return
  throw new InputError({
    code: 'InvalidPropertyValue',
    details: { property: label },
    message: `${label} is declared as ${kind}, but has ${describeKind(value)}. Give a ${kind}, or declare the type that the class shows.`,
  })
}

/** The place that a value is written to. */
interface Place {
  /** The key, which encrypted values are bound to. */
  readonly key: EntityKey
  /** The row as far as it is known. */
  readonly raw: RawEntity | undefined
}

/** Writes an unchanged value with its stored type; one in pieces can be copied as it is stored. */
export function storedMembers(
  column: ColumnCodec,
  { type, value }: StoredValue,
  place: Place & { readonly isCopied: boolean },
): string {
  const { chunks, seal, member } = column
  if (place.isCopied && chunks !== undefined && seal === undefined && place.raw !== undefined) {
    return chunks.asStored(place.raw)
  }
  return wireMembers(column, memberJson(member, type, value), place)
}

/**
 * Encrypts and cuts a member of a JSON object where its column requires it.
 *
 * @param column - the column
 * @param plain - the unencrypted member
 */
export function wireMembers(column: ColumnCodec, plain: string, { key, raw }: Place): string {
  const { seal, chunks } = column
  if (seal === undefined && chunks === undefined) return plain
  const typed = readProperty(parseEntityObject(`{${plain.slice(1)}}`), column.name) // after its comma
  if (typed === undefined) return ''
  const stored = seal ? ({ type: 'Binary', value: seal.close(typed, key) } as const) : typed
  return chunks ? chunks.write(stored, raw) : memberJson(column.member, stored.type, stored.value)
}

/**
 * Converts a member's value to the value to store, with the converter of its column. While the member is
 * unchanged, the stored value stays as it is.
 *
 * @param value - the value of the member
 * @param key - the entity's key
 * @param stored - the value that is stored there; `undefined` when it is unknown
 * @throws InputError (`ConversionFailed`) when the converter rejects the value
 */
export function convertedValue(
  { conversion, computed }: ColumnCodec,
  value: unknown,
  key: EntityKey,
  stored?: StoredValue,
): unknown {
  if (conversion === undefined) return value
  // A computed member is never read, so its stored value need not be readable.
  const before = stored === undefined || computed ? undefined : widen(stored, conversion.type)
  if (value === undefined || value === null) {
    // A stored value may read as null, such as the JSON text `null`; it is not removed then.
    const isUnchanged = before !== undefined && conversion.fromStored(before, key) === value
    return isUnchanged ? before : value
  }
  if (before === undefined) return conversion.toStored(value, key)
  return conversion.update(before, value, key)
}
