import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * The member that shows the entity's ETag: assigned by every read and every write, sent as
 * `If-Match` by later writes, never stored. A class without one keeps its ETags all the same, out
 * of sight.
 *
 * @example
 * ```ts
 * @ETag() etag?: string
 * ```
 */
export function ETag(): MemberDecorator<string | undefined> {
  return memberDecorator({ decorators: ['ETag'] })
}
