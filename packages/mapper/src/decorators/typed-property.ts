import type { EdmType, EdmValue } from '@rowkey/odata'
import type { TypeDecoratorName } from '../model/member-rule.ts'
import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/** The TypeScript type of each Edm type's values. */
export interface DeclaredAs {
  /** A property of type String. */
  readonly String: 'string'
  /** A property of type Boolean. */
  readonly Boolean: 'boolean'
  /** A property of type Int32. */
  readonly Int32: 'number'
  /** A property of type Int64. */
  readonly Int64: 'bigint'
  /** A property of type Double. */
  readonly Double: 'number'
  /** A property of type Guid. */
  readonly Guid: 'string'
  /** A property of type DateTime. */
  readonly DateTime: 'Date'
  /** A property of type Binary. */
  readonly Binary: 'Uint8Array'
}

/**
 * The sentence that the compiler shows for a member whose type does not fit an Edm type.
 *
 * @example
 * ```ts
 * type A = WrongType<'Double'> // 'Double is a number in TypeScript: declare the property as number'
 * ```
 */
export type WrongType<Type extends EdmType> =
  `${Type} is a ${DeclaredAs[Type]} in TypeScript: declare the property as ${DeclaredAs[Type]}`

/** A decorator for a member that is stored as one Edm type. */
export type TypedDecorator<Type extends EdmType> = MemberDecorator<
  EdmValue<Type> | null | undefined,
  WrongType<Type>
>

/**
 * Stores a member as an Int32: a whole number from -2^31 to 2^31 - 1. Short for `@Property('Int32')`. A value
 * of another type is rejected before anything is sent.
 *
 * @example
 * ```ts
 * @Int32() floor = 0
 * ```
 */
export function Int32(): TypedDecorator<'Int32'> {
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
export function Int64(): TypedDecorator<'Int64'> {
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
export function Double(): TypedDecorator<'Double'> {
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
export function Guid(): TypedDecorator<'Guid'> {
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
export function DateTime(): TypedDecorator<'DateTime'> {
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
export function Binary(): TypedDecorator<'Binary'> {
  return typed('Binary')
}

function typed<Type extends TypeDecoratorName & EdmType>(type: Type): TypedDecorator<Type> {
  return memberDecorator({ decorators: [type], type, forms: [`@${type}()`] })
}
