import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that is stored as an Int64: a whole number from -2^63 to 2^63 - 1, as a bigint. The same as `@Property('Int64')`. A value of another type is
 * refused before anything is sent.
 *
 * @example
 * ```ts
 * @Int64() points?: bigint
 * ```
 */
export function Int64(): MemberDecorator<bigint | null | undefined> {
  return memberDecorator({ decorators: ['Int64'], type: 'Int64', forms: ['@Int64()'] })
}
