import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that is stored as an Guid: 32 hexadecimal digits, hyphenated, in lower case when they are read. The same as `@Property('Guid')`. A value of another type is
 * refused before anything is sent.
 *
 * @example
 * ```ts
 * @Guid() orderId?: string
 * ```
 */
export function Guid(): MemberDecorator<string | null | undefined> {
  return memberDecorator({ decorators: ['Guid'], type: 'Guid', forms: ['@Guid()'] })
}
