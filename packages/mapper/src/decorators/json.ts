import type { $ZodType } from 'zod/v4/core'
import { type JsonOptions, jsonText } from '../convert/json-text.ts'
import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that is stored as JSON text, in a String: plain objects, arrays, text, numbers and booleans.
 *
 * What JSON cannot hold without loss is refused, by its place: bigints, NaN, Dates, Maps, instances of
 * classes. A value that was changed in place counts as changed; one that was not is never rewritten,
 * whoever wrote the text. JSON of more than 32,766 characters needs {@link Text} as well.
 *
 * @param schema - a zod schema, of which the member holds the output: what is written is checked, and
 * what is read as `options` say. A `z.codec` converts what JSON cannot hold. Members that the schema
 * strips are not stored; `z.looseObject` keeps them
 * @param options - also `read`
 *
 * @example
 * ```ts
 * @Json() address?: { street: string; city: string }
 * @Json(z.array(z.string())) tags: string[] = []
 * ```
 */
export function Json<Value = unknown>(
  schema?: $ZodType<Value>,
  options: JsonOptions = {},
): MemberDecorator<Value | null | undefined> {
  const converter = jsonText(schema, options)
  return memberDecorator({ decorators: ['Json'], converter, forms: ['@Json()'] })
}
