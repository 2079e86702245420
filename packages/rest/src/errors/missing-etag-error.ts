import { InputError } from '@rowkey/odata'

/**
 * Thrown when an update, a merge or a delete has no ETag to go by. Pass the ETag that the entity was
 * read with, or `'*'` to write whatever is stored now.
 */
export class MissingETagError extends InputError {
  override readonly name = 'MissingETagError'
  override readonly code = 'MissingETag'
}
