import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that is stored as a DateTime: UTC, 1601-01-01 to 9999-12-31, in steps of 100 ns, which a
 * `Date` that was read carries along. The same as `@Property('DateTime')`. A value of another type is
 * refused before anything is sent.
 *
 * @example
 * ```ts
 * @DateTime() since?: Date
 * ```
 */
export function DateTime(): MemberDecorator<Date | null | undefined> {
  return memberDecorator({
    decorators: ['DateTime'],
    type: 'DateTime',
    forms: ['@DateTime()'],
  })
}
