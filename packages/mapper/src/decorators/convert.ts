import type { EdmValue } from '@rowkey/odata'
import type { Converter } from '../convert/converter.ts'
import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A stored member whose values are converted: a decimal, an enumeration, an object of another library.
 *
 * Queries can compare it only when the converter says that it is `comparable`.
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
): MemberDecorator<Value | null | undefined> {
  // It gets nothing but values that it made, or that the compiler took for its own.
  return memberDecorator({ decorators: ['Convert'], converter, forms: ['@Convert(…)'] })
}
