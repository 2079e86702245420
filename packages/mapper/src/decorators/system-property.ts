import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/** A decorator for a member that is a whole key. */
export type KeyDecorator = MemberDecorator<
  string | undefined,
  'A key is a string: declare the property as string, or use a key template in Entity({ partitionKey, rowKey })'
>

/**
 * Makes a member the PartitionKey. Every class has exactly one, or a key template in {@link Entity}. It is a
 * string of up to 512 UTF-16 units, may be empty, and must not contain `/ \ # ?` or control characters. A
 * getter without a setter computes it. When it changed since the entity was read, `merge` and `replace` are
 * rejected.
 *
 * @example
 * ```ts
 * @PartitionKey() lastName!: string
 * ```
 */
export function PartitionKey(): KeyDecorator {
  return memberDecorator('PartitionKey')
}

/**
 * Makes a member the RowKey. Every class has exactly one, with the same rules as {@link PartitionKey}.
 *
 * @example
 * ```ts
 * @RowKey() firstName!: string
 * ```
 */
export function RowKey(): KeyDecorator {
  return memberDecorator('RowKey')
}

/**
 * Shows the entity's ETag in a member. Every read and every write assigns it, later writes send it as
 * `If-Match`, and it is never stored. A class without this member keeps its ETags out of sight.
 *
 * @example
 * ```ts
 * @ETag() etag?: string
 * ```
 */
export function ETag(): MemberDecorator<
  string | undefined,
  'An ETag is a string: declare the property as etag?: string'
> {
  return memberDecorator('ETag')
}

/**
 * Shows in a member when the service last changed the entity, in UTC and in steps of 100 ns. Every read and
 * every write assigns it, and it is never sent. Queries can compare it.
 *
 * @example
 * ```ts
 * @Timestamp() modified?: Date
 * ```
 */
export function Timestamp(): MemberDecorator<
  Date | undefined,
  'A Timestamp is a Date: declare the property as modified?: Date'
> {
  return memberDecorator('Timestamp')
}
