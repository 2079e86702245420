import type { EdmValue } from '@rowkey/odata'
import type { Converter } from '../convert/converter.ts'
import type { ColumnRule } from './column-rule.ts'

/**
 * Converts the values of a property, as {@link Convert} and {@link Json} do in a class. For `columns` of
 * {@link defineEntity}. Objects and arrays of a schema are converted to JSON by default.
 *
 * @param converter - converts the values
 *
 * @example
 * ```ts
 * defineEntity({ name: 'people', columns: { address: converted(jsonText()) }, … })
 * ```
 */
export function converted<Value, Stored extends EdmValue>(
  converter: Converter<Value, Stored>,
): ColumnRule {
  // The converter receives only values that the schema accepts, and its own results.
  return Object.freeze({ converter })
}

/**
 * Stores text of any length in a property, as {@link Text} does in a class. For `columns` of {@link
 * defineEntity}; it can be spread into other rules.
 *
 * @example
 * ```ts
 * defineEntity({ name: 'people', columns: { notes: longText(), log: { ...converted(jsonText()), ...longText() } }, … })
 * ```
 */
export function longText(): ColumnRule {
  return Object.freeze({ chunkType: 'String' })
}

/**
 * Stores bytes of any length in a property, as {@link Blob} does in a class. For `columns` of {@link
 * defineEntity}.
 *
 * @example
 * ```ts
 * defineEntity({ name: 'people', columns: { photo: longBytes() }, … })
 * ```
 */
export function longBytes(): ColumnRule {
  return Object.freeze({ chunkType: 'Binary' })
}
