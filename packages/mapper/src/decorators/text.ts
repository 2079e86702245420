import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that holds text of any length, up to what an entity holds (1 MiB, two bytes a character).
 *
 * Text of up to 32,766 characters is stored as it always is. Longer text is cut: the first 32,768
 * characters are stored under the member's own name, here `notes`, and the next ones as `notes_2`,
 * `notes_3`, up to `notes_16`. A surrogate pair is never cut. No filter can compare it.
 *
 * It may stand beside {@link Json} and {@link Encrypted}.
 *
 * @example
 * ```ts
 * @Text() notes = ''
 * @Json() @Text() settings: Settings = {}
 * ```
 */
export function Text(): MemberDecorator<unknown> {
  return memberDecorator({ decorators: ['Text'], chunkType: 'String' })
}
