import {
  annotationName,
  type EdmCodec,
  type EdmType,
  type EdmValue,
  edmCodecs,
  type MemberText,
  memberText,
  propertyNamesOf,
  type RawEntity,
  readProperty,
  typeOfMember,
  writeMember,
} from '@rowkey/odata'

/** The names of one stored property, prepared for reading and writing. */
export interface StoredMember {
  /** The stored name. */
  readonly name: string
  /** The JSON member that carries the stored type. */
  readonly annotation: string
  /** The JSON text before the value, from the comma after other members on. */
  readonly member: MemberText
}

/** Prepares one stored property. */
export function storedMember(name: string): StoredMember {
  return { name, annotation: annotationName(name), member: furtherMember(name) }
}

/**
 * Reads one stored property of a row.
 *
 * @param label - `Class.member`, for messages
 * @returns `undefined` when it is not stored
 * @throws DecodeError (`UnreadableProperty`) when it is not a value of its type
 */
export function readMember(
  { name, annotation }: StoredMember,
  raw: RawEntity,
  label: string,
): StoredValue | undefined {
  const json = raw[name]
  // An absent `toString` or `__proto__` is found on Object.prototype: neither is a JSON scalar.
  if (json === undefined || typeof json === 'object' || typeof json === 'function') return undefined
  const type = typeOfMember(label, json, raw[annotation])
  return { type, value: edmCodecs[type].readJson(json, label) }
}

/** A value and its stored type. */
export interface StoredValue {
  readonly type: EdmType
  readonly value: EdmValue
}

/**
 * Converts a stored value to another type if that is exact for every value: an Int32 to an Int64 or a
 * Double, and any type to itself.
 *
 * @returns `undefined` for every other pair of types
 */
export function widen(stored: StoredValue, type: EdmType): EdmValue | undefined {
  if (stored.type === type) return stored.value
  const { value } = stored
  if (stored.type !== 'Int32' || typeof value !== 'number') return undefined
  if (type === 'Int64') return BigInt(value)
  return type === 'Double' ? value : undefined
}

/** Makes the JSON text before the value of a property that comes after others. */
export function furtherMember(name: string): MemberText {
  return memberText(name, ',')
}

/** Writes one more member of a JSON object: a comma, the member, and its type where needed. */
export function memberJson(member: MemberText, type: EdmType, value: EdmValue): string {
  const codec: EdmCodec = edmCodecs[type]
  return writeMember(member, codec, value)
}

/**
 * Writes the stored properties that a class does not declare as further members of a JSON object. A
 * replace sends them too, so that it does not drop properties of other programs.
 *
 * @param raw - the entity as it was read
 * @param declared - the stored names that the class writes itself
 */
export function undeclaredMembers(raw: RawEntity, declared: ReadonlySet<string>): string {
  let text = ''
  for (const name of propertyNamesOf(raw)) {
    if (declared.has(name)) continue
    const stored = readProperty(raw, name)
    if (stored !== undefined) text += memberJson(furtherMember(name), stored.type, stored.value)
  }
  return text
}

/**
 * The most properties of one value: an entity can hold 1 MiB, and a property 64 KiB.
 * https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
export const MAX_CHUNKS = 16

/** How many stored properties a column has. */
interface Spread {
  /** Its own stored name. */
  readonly name: string
  /** Whether its values are cut. */
  readonly chunked?: boolean | undefined
  /** Whether it is an array whose values are stored one by one. */
  readonly series?: { readonly slots: number } | undefined
}

/**
 * Returns every stored name that a value of a column may use. Those of a value that is cut, and those of a series, are part of
 * the stored format: `notes`, `notes_2` to `notes_16`, and `h00` to `h23`.
 *
 * @param column - its own stored name, and how its values are spread
 *
 * @example
 * ```ts
 * storedNames({ name: 'notes' }) // ['notes']
 * ```
 */
export function storedNames({ name, chunked, series }: Spread): readonly string[] {
  if (series !== undefined) {
    const digits = String(series.slots - 1).length
    return Array.from(
      { length: series.slots },
      (_, slot) => `${name}${String(slot).padStart(digits, '0')}`,
    )
  }
  if (!chunked) return [name]
  return Array.from({ length: MAX_CHUNKS }, (_, at) => (at === 0 ? name : `${name}_${at + 1}`))
}

/**
 * Returns a row with some of its members only.
 *
 * @param raw - the row
 * @param isPicked - tells by the name of a property whether its value and its annotation stay
 */
export function pickMembers(raw: RawEntity, isPicked: (property: string) => boolean): RawEntity {
  const picked = Object.entries(raw).filter(([member]) => isPicked(member.split('@', 1)[0] ?? ''))
  // Not by assignment: `__proto__` is a legal property name.
  return Object.fromEntries(picked)
}
