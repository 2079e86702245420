import { InputError } from '@rowkey/odata'

/**
 * Thrown when an entity of which only a part is known is about to replace the stored one, and the rest
 * would get lost: it was read with `select`, or it was merged by `etag: '*'` or by an upsert into a
 * version that nobody read. Nothing has been sent.
 */
export class ProjectedEntityError extends InputError {
  /** `ProjectedEntityError`. */
  override readonly name = 'ProjectedEntityError'
  /** `ProjectedEntity`: what programs branch on. */
  override readonly code = 'ProjectedEntity'
}
