import { InputError } from '@rowkey/odata'

/**
 * Thrown when a signed entity is about to be merged into something that nobody knows whole: it was not
 * read, or only a part of it was, or the ETag is not the one it was read with. A signature covers the
 * entity that comes out, so none can be made. Nothing has been sent.
 */
export class UnsignableMergeError extends InputError {
  /** `UnsignableMergeError`. */
  override readonly name = 'UnsignableMergeError'
  /** `UnsignableMerge`: what programs branch on. */
  override readonly code = 'UnsignableMerge'
}
