import type { EdmType, EdmValue } from '@rowkey/odata'
import type { TypeDecoratorName } from '../model/member-rule.ts'
import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * Stores a member as an Int32: a whole number from -2^31 to 2^31 - 1. Short for `@Property('Int32')`. A value
 * of another type is rejected before anything is sent.
 *
 * @example
 * ```ts
 * @Int32() floor = 0
 * ```
 */
export function Int32(): MemberDecorator<number | null | undefined> {
  return typed('Int32')
}

/**
 * Stores a member as an Int64: a bigint from -2^63 to 2^63 - 1. Short for `@Property('Int64')`. A value of
 * another type is rejected before anything is sent.
 *
 * @example
 * ```ts
 * @Int64() points?: bigint
 * ```
 */
export function Int64(): MemberDecorator<bigint | null | undefined> {
  return typed('Int64')
}

/**
 * Stores a member as a Double: IEEE 754, with NaN and both infinities. A whole number stays a Double. Short
 * for `@Property('Double')`. A value of another type is rejected before anything is sent.
 *
 * @example
 * ```ts
 * @Double() price = 1 // stored as 1.0, never as an Int32
 * ```
 */
export function Double(): MemberDecorator<number | null | undefined> {
  return typed('Double')
}

/**
 * Stores a member as a Guid: 32 hexadecimal digits with hyphens, which are read in lower case. Short for
 * `@Property('Guid')`. A value of another type is rejected before anything is sent.
 *
 * @example
 * ```ts
 * @Guid() orderId?: string
 * ```
 */
export function Guid(): MemberDecorator<string | null | undefined> {
  return typed('Guid')
}

/**
 * Stores a member as a DateTime: UTC, from 1601-01-01 to 9999-12-31, in steps of 100 ns. A `Date` that was
 * read keeps all seven digits. Short for `@Property('DateTime')`. A value of another type is rejected before
 * anything is sent.
 *
 * @example
 * ```ts
 * @DateTime() since?: Date
 * ```
 */
export function DateTime(): MemberDecorator<Date | null | undefined> {
  return typed('DateTime')
}

/**
 * Stores a member as Binary: up to 65,536 bytes. {@link Blob} holds more. Short for `@Property('Binary')`. A
 * value of another type is rejected before anything is sent.
 *
 * @example
 * ```ts
 * @Binary() thumbnail?: Uint8Array
 * ```
 */
export function Binary(): MemberDecorator<Uint8Array | null | undefined> {
  return typed('Binary')
}

function typed<Type extends TypeDecoratorName & EdmType>(
  type: Type,
): MemberDecorator<EdmValue<Type> | null | undefined> {
  return memberDecorator({ decorators: [type], type, forms: [`@${type}()`] })
}
