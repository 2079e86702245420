import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that is stored as an Binary: up to 65,536 bytes; {@link Blob} for more. The same as `@Property('Binary')`. A value of another type is
 * refused before anything is sent.
 *
 * @example
 * ```ts
 * @Binary() thumbnail?: Uint8Array
 * ```
 */
export function Binary(): MemberDecorator<Uint8Array | null | undefined> {
  return memberDecorator({ decorators: ['Binary'], type: 'Binary', forms: ['@Binary()'] })
}
