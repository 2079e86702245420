import type { EdmValue } from '@rowkey/odata'
import type { Converter } from '../convert/converter.ts'
import type { ColumnRule } from './column-rule.ts'

/**
 * Says in `columns` of {@link defineEntity} that the values of a property are converted, as
 * {@link Convert} and {@link Json} say it of a member of a class. Objects and arrays of a schema are
 * stored so.
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
  // It gets nothing but what the schema takes, and what it made.
  return Object.freeze({ converter })
}

/**
 * Says in `columns` of {@link defineEntity} that a property holds text of any length, as {@link Text}
 * says it of a member of a class. It may be spread beside other rules.
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
 * Says in `columns` of {@link defineEntity} that a property holds bytes of any length, as {@link Blob}
 * says it of a member of a class.
 *
 * @example
 * ```ts
 * defineEntity({ name: 'people', columns: { photo: longBytes() }, … })
 * ```
 */
export function longBytes(): ColumnRule {
  return Object.freeze({ chunkType: 'Binary' })
}
