import { type AnyMemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A stored member that is in the clear on purpose: queries compare it, or other programs read it. An
 * account that requires encryption takes no class with a member that is neither this nor
 * {@link Encrypted}; elsewhere it says what is so anyway.
 *
 * @example
 * ```ts
 * @Plain() ward?: string
 * ```
 */
export function Plain(): AnyMemberDecorator {
  return memberDecorator({ decorators: ['Plain'], plain: true })
}
