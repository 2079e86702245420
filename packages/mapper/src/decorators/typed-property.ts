import { declareOptions, type EdmType, type EdmValue, oneOf } from '@rowkey/odata'
import type { Converter } from '../convert/converter.ts'
import { safeInt64 } from '../convert/safe-int64.ts'
import type { MemberRule, TypeDecoratorName } from '../model/member-rule.ts'
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
  `${Type} is a ${DeclaredAs[Type]} in TypeScript: declare the property as ${DeclaredAs[Type]}${Type extends 'Int64' ? ", or pass { as: 'number' }" : ''}`

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

/** How an Int64 is declared in TypeScript. */
export interface Int64Options {
  /**
   * `'number'` reads and writes safe integers, from -(2^53 - 1) to 2^53 - 1. Any other value, stored or written, is
   * rejected with the code `UnsafeInteger`; numbers are never rounded.
   */
  readonly as: 'number' | 'bigint'
}

/** A decorator for a number that is stored as an Int64. */
export type SafeInt64Decorator = MemberDecorator<
  number | null | undefined,
  "This Int64 is a number in TypeScript: declare the property as number, or remove { as: 'number' }"
>

/**
 * Stores a safe integer as an Int64. Conditions of queries compare it as an Int64: `points gt 5L`.
 *
 * @param options - `{ as: 'number' }`
 *
 * @example
 * ```ts
 * @Int64({ as: 'number' }) points = 0
 * ```
 */
export function Int64(options: { readonly as: 'number' }): SafeInt64Decorator
/**
 * Stores a member as an Int64: a bigint from -2^63 to 2^63 - 1. Short for `@Property('Int64')`. A value of
 * another type is rejected before anything is sent.
 *
 * @example
 * ```ts
 * @Int64() points?: bigint
 * ```
 */
export function Int64(options?: { readonly as: 'bigint' }): TypedDecorator<'Int64'>
export function Int64(options?: Int64Options): (target: unknown, member: unknown) => void {
  const form = options?.as === 'number' ? "@Int64({ as: 'number' })" : '@Int64()'
  return memberDecorator('Int64', { ...int64Rule(options), forms: [form] })
}

const int64Options = declareOptions<Partial<Int64Options>>({ as: oneOf('number', 'bigint') })

/** Returns how the values of an Int64 are stored. */
export function int64Rule(options: unknown): Pick<MemberRule, 'type' | 'converter'> {
  const given = (options ?? {}) as Partial<Int64Options> // checked here
  int64Options.check(given, '@Int64')
  if (given.as === 'number') return { converter: safeInt64 as Converter<unknown> as Converter }
  return { type: 'Int64' }
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
  return memberDecorator(type, { type, forms: [`@${type}()`] })
}
