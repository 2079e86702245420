import { type MemberDecorator, memberDecorator } from './member-decorator.ts'

/**
 * A member that holds bytes of any length, up to what an entity holds (1 MiB).
 *
 * Up to 65,535 bytes are stored as they always are. More are cut: the first 65,536 bytes are stored
 * under the member's own name, here `photo`, and the next ones as `photo_2`, `photo_3`, up to
 * `photo_16`. No filter can compare it. It may stand beside {@link Encrypted}.
 *
 * @example
 * ```ts
 * @Blob() photo?: Uint8Array
 * ```
 */
export function Blob(): MemberDecorator<Uint8Array | null | undefined> {
  return memberDecorator({ decorators: ['Blob'], chunkType: 'Binary' })
}
