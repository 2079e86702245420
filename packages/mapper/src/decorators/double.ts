import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that is stored as an Double: IEEE 754, with NaN and both infinities; a whole number stays a Double. The same as `@Property('Double')`. A value of another type is
 * refused before anything is sent.
 *
 * @example
 * ```ts
 * @Double() price = 1          // stored as 1.0, never as an Int32
 * ```
 */
export function Double(): MemberDecorator<number | null | undefined> {
  return memberDecorator({ decorators: ['Double'], type: 'Double', forms: ['@Double()'] })
}
