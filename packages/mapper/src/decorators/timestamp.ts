import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * The member that shows when the service last changed the entity (UTC, in steps of 100 ns):
 * assigned by every read and every write, never sent. Queries may compare it, as `Timestamp`.
 *
 * @example
 * ```ts
 * @Timestamp() modified?: Date
 * ```
 */
export function Timestamp(): MemberDecorator<Date | undefined> {
  return memberDecorator({ decorators: ['Timestamp'] })
}
