import { InputError } from '@rowkey/odata'

/**
 * Thrown when an update, a merge or a delete has no ETag to go by. Pass the ETag that the entity was
 * read with, or `'*'` to write whatever is stored now.
 */
export class MissingETagError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'MissingETagError'
  /** What programs branch on. */
  override readonly code = 'MissingETag'
}
