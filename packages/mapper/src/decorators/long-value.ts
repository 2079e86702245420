import { type MemberDecorator, memberDecorator } from './member-decorator.ts'
import type { TypedDecorator } from './typed-property.ts'

/**
 * Stores text of any length up to the size of an entity, which is 1 MiB with two bytes for each character.
 *
 * Text of up to 32,766 characters is stored in one property as usual. Longer text is cut: the first 32,768
 * characters are stored under the member's own name, here `notes`, and the next ones as `notes_2`,
 * `notes_3`, up to `notes_16`. A surrogate pair is never cut. Filters cannot compare it.
 *
 * {@link Json} and `Encrypted` can stand beside it.
 *
 * @example
 * ```ts
 * @Text() notes = ''
 * @Json() @Text() settings: Settings = {}
 * ```
 */
export function Text(): MemberDecorator<unknown> {
  return memberDecorator('Text', { chunkType: 'String' })
}

/**
 * Stores bytes of any length up to the size of an entity, which is 1 MiB.
 *
 * Up to 65,535 bytes are stored in one property as usual. More bytes are cut: the first 65,536 bytes are stored
 * under the member's own name, here `photo`, and the next ones as `photo_2`, `photo_3`, up to `photo_16`.
 * Filters cannot compare it. `Encrypted` can stand beside it.
 *
 * @example
 * ```ts
 * @Blob() photo?: Uint8Array
 * ```
 */
export function Blob(): TypedDecorator<'Binary'> {
  return memberDecorator('Blob', { chunkType: 'Binary' })
}
