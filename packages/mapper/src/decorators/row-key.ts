import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * The member that is the entity's RowKey. Every class has exactly one, under the same rules as
 * {@link PartitionKey}.
 *
 * @example
 * ```ts
 * @RowKey() firstName!: string
 * ```
 */
export function RowKey(): MemberDecorator<string | undefined> {
  return memberDecorator({ decorators: ['RowKey'] })
}
