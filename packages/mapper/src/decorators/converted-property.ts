import type { EdmValue } from '@rowkey/odata'
import type { Converter } from '../convert/converter.ts'
import { type JsonOptions, jsonText } from '../convert/json-text.ts'
import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * Stores the values of a member as a converter returns them: a decimal, an enumeration, an object of another
 * library. Conditions can compare the member only when the converter is `comparable`.
 *
 * @param converter - converts the values
 *
 * @example
 * ```ts
 * @Convert(decimal) price?: Decimal
 * ```
 */
export function Convert<Value, Stored extends EdmValue>(
  converter: Converter<Value, Stored>,
): MemberDecorator<Value | null | undefined, 'The converter makes values of another type'> {
  // The converter only receives values that it made, or that the compiler accepted.
  return memberDecorator('Convert', { converter, forms: ['@Convert(…)'] })
}

/**
 * Stores a member as JSON text, in a String: plain objects, arrays, text, numbers and booleans.
 *
 * Values that JSON cannot hold without loss are rejected with their place: bigints, NaN, Dates, Maps,
 * instances of classes. A value that was changed in place counts as changed; an unchanged one keeps its
 * text, also when another program wrote it. When a part of a value changes, every other part keeps its
 * text, and so its numbers of any size. JSON of more than 32,766 characters needs {@link Text} as well.
 *
 * @param schema - a schema of zod 4, or of any library with Standard Schema, whose output the member holds. It
 * checks values before they are written and, unless `read` is `'lenient'`, after they are read. A `z.codec`
 * converts values that JSON cannot hold. Members that the schema strips are not added to the stored text;
 * stored ones stay, except in an array when several elements change
 * @param options - `read`
 *
 * @example
 * ```ts
 * @Json() address?: { street: string; city: string }
 * @Json(z.array(z.string())) tags: string[] = []
 * ```
 */
export function Json<Value = unknown>(
  schema?: StandardSchema<unknown, Value>,
  options: JsonOptions = {},
): MemberDecorator<Value | null | undefined, 'The schema of Json() has another type'> {
  const converter = jsonText(schema, options)
  return memberDecorator('Json', { converter, forms: ['@Json()'] })
}
