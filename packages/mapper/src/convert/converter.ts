import type { EdmType, EdmValue, EntityKey } from '@rowkey/odata'

/**
 * How the values of a property are stored, where they are no Edm values themselves, or others than are
 * stored. Put it on a member by {@link Convert}, or on every member of a class by
 * `@Entity({ converters })`.
 *
 * What is converted back and forth must come out the same: an entity that was read is compared with
 * what is stored, so that a merge sends what changed. `null` and `undefined` are not stored, and are
 * not converted.
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
  /** What is stored. Values of narrower types are widened before they are converted. */
  readonly type: EdmType
  /**
   * Conditions of queries may compare the stored values. Their operands are then converted too, for an
   * entity of which nothing is known: both keys are empty.
   *
   * @defaultValue `false`: such conditions are refused
   */
  readonly comparable?: boolean | undefined
  /**
   * The value that is stored.
   *
   * @param value - what the member holds
   * @param key - of the entity
   */
  toStored(value: Value, key: EntityKey): Stored
  /**
   * What the member is to hold.
   *
   * @param stored - the value as it is stored, of the converter's type
   * @param key - of the entity
   */
  fromStored(stored: Stored, key: EntityKey): Value
  /**
   * Returns the value to store in the place of another one. Give it where the stored value may hold more
   * than the member shows, such as digits or spaces: keep those, and return `stored` itself when the
   * member holds what {@link Converter.fromStored} made of it.
   *
   * @param stored - the value that is stored now
   * @param value - what the member holds
   * @param key - of the entity
   * @defaultValue `stored` when the member is unchanged, else what {@link Converter.toStored} returns
   */
  update?(stored: Stored, value: Value, key: EntityKey): Stored
}
