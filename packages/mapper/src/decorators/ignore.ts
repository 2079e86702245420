import { type AnyMemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that is neither stored nor read: a cache, a flag of the user interface, a friendlier
 * view of a key.
 *
 * @example
 * ```ts
 * @Ignore() selected = false
 * ```
 */
export function Ignore(): AnyMemberDecorator {
  return memberDecorator({ decorators: ['Ignore'] })
}
