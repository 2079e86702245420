import { type EdmType, type EdmValue, type EntityKey, isEdmType } from '@rowkey/odata'

/**
 * Converts the values of a property to the values that are stored, and back. Put it on a member with
 * {@link Convert}, or on all members of a class of values with `@Entity({ converters })`.
 *
 * A value that is converted and converted back must be the same value, because a merge compares an entity
 * with its stored row to find what changed. `null` and `undefined` are neither stored nor converted.
 *
 * @example
 * ```ts
 * const decimal: Converter<Decimal, string> = {
 *   type: 'String',
 *   toStored: (value) => value.toString(),
 *   fromStored: (stored) => new Decimal(stored),
 * }
 * ```
 */
export interface Converter<Value = unknown, Stored extends EdmValue = EdmValue> {
  /** The type of the stored values. A stored Int32 is widened to it before it is converted. */
  readonly type: EdmType
  /**
   * Whether conditions of queries can compare the stored values. Their operands are then converted too, with
   * an entity key of two empty strings.
   *
   * @defaultValue `false`: these conditions are rejected
   */
  readonly comparable?: boolean | undefined
  /**
   * Returns the value to store.
   *
   * @param value - the value of the member
   * @param key - the key of the entity
   */
  toStored(value: Value, key: EntityKey): Stored
  /**
   * Returns the value for the member.
   *
   * @param stored - the stored value, of the converter's type
   * @param key - the key of the entity
   */
  fromStored(stored: Stored, key: EntityKey): Value
  /**
   * Returns the value to store in place of the current one. Use it where a stored value holds more than the
   * member shows, such as digits or spaces, and keep them. Return `stored` itself when the member still has the
   * value that {@link Converter.fromStored} returned.
   *
   * @param stored - the current stored value
   * @param value - the value of the member
   * @param key - the key of the entity
   * @defaultValue keeps `stored` while the member is unchanged, else returns {@link Converter.toStored}
   */
  update?(stored: Stored, value: Value, key: EntityKey): Stored
}

/** Returns whether a value is a {@link Converter}. */
export function isConverter(given: unknown): given is Converter {
  if (typeof given !== 'object' || given === null) return false
  const { type, comparable, toStored, fromStored, update }: Partial<Converter> = given
  if (update !== undefined && typeof update !== 'function') return false
  const isTyped = isEdmType(type) && (comparable === undefined || typeof comparable === 'boolean')
  return isTyped && typeof toStored === 'function' && typeof fromStored === 'function'
}

/** A converter that follows from the schema of a property. Its stored values are read by the schema of the whole entity. */
export interface SchemaConverter extends Converter {
  /** Returns what the schema takes in. */
  readonly input: (stored: EdmValue) => unknown
}

/** Returns whether the values of a converter are read by the schema of the whole entity. */
export function isSchemaConverter(converter: Converter | undefined): converter is SchemaConverter {
  return converter !== undefined && 'input' in converter
}
