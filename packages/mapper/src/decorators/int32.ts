import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that is stored as an Int32: a whole number from -2^31 to 2^31 - 1. The same as `@Property('Int32')`. A value of another type is
 * refused before anything is sent.
 *
 * @example
 * ```ts
 * @Int32() floor = 0
 * ```
 */
export function Int32(): MemberDecorator<number | null | undefined> {
  return memberDecorator({ decorators: ['Int32'], type: 'Int32', forms: ['@Int32()'] })
}
