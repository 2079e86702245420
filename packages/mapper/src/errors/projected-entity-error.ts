import { InputError } from '@rowkey/odata'

/**
 * Thrown when an entity that was read by a query with `select` is about to replace the stored one:
 * every property that was not selected would be dropped. Nothing has been sent.
 */
export class ProjectedEntityError extends InputError {
  /** `ProjectedEntityError`. */
  override readonly name = 'ProjectedEntityError'
  /** `ProjectedEntity`: what programs branch on. */
  override readonly code = 'ProjectedEntity'
}
