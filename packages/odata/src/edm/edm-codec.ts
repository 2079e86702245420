import type { EdmType, EdmValue } from './edm-type.ts'

/**
 * Everything there is to know about one Edm type: which JavaScript values it takes, how it is
 * written in JSON and in a `$filter`, and how two values compare.
 *
 * One codec per type lives beside this file; {@link edmCodecs} finds them by name.
 */
export interface EdmCodec<Type extends EdmType = EdmType> {
  /** The type's name, without `Edm.`. */
  readonly type: Type
  /**
   * Turns what a caller gave into the type's own value, or refuses it.
   *
   * @param given - any value
   * @param name - the property's name, for the message
   * @throws {@link PropertyValueError} when the value cannot be stored as this type without loss
   */
  accept(given: unknown, name: string): EdmValue<Type>
  /** Whether `<name>@odata.type` must stand beside this value for the type to survive. */
  annotates(value: EdmValue<Type>): boolean
  /** The value as JSON text, such as `"5"` for an Int64 and `5.0` for a Double. */
  writeJson(value: EdmValue<Type>): string
  /**
   * The value from its parsed JSON.
   *
   * @param json - what `JSON.parse` made of the member
   * @param name - the property's name, for the message
   * @throws {@link PropertyValueError} when the JSON is not a value of this type
   */
  readJson(json: unknown, name: string): EdmValue<Type>
  /** The value as it stands in a `$filter`, such as `5L` or `guid'…'`. */
  printLiteral(value: EdmValue<Type>): string
  /** Negative, zero or positive as `a` sorts before, with or after `b`; NaN when they do not compare. */
  compare(a: EdmValue<Type>, b: EdmValue<Type>): number
}
