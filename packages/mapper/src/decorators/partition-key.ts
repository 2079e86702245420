import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * The member that is the entity's PartitionKey. Every class has exactly one, and it is a string:
 * up to 512 UTF-16 units, may be empty, no `/ \ # ?` and no control characters. A getter without
 * a setter computes it; an entity whose PartitionKey changed since it was read is refused by
 * later writes.
 *
 * @example
 * ```ts
 * @PartitionKey() lastName!: string
 * ```
 */
export function PartitionKey(): MemberDecorator<string | undefined> {
  return memberDecorator({ decorators: ['PartitionKey'] })
}
