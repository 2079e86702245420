import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import { EntityNotFoundError } from '../errors/entity-not-found-error.ts'
import type { ServiceError } from '../errors/service-error.ts'
import { type Settlement, UNDECIDED } from './reconciliation.ts'

/**
 * Decides what it means that the repetition of a delete found nothing: what was to be gone is gone.
 * A delete that went by an ETag claims more, that nobody had written the entity since, and cannot
 * be decided.
 *
 * @param refusal - the answer to the repetition
 * @param write - what was to be deleted
 */
export function settleDeletion(
  refusal: ServiceError,
  { etag }: EntityWrite,
): Settlement<WriteResult> {
  const isGone = refusal instanceof EntityNotFoundError && etag === '*'
  return isGone ? { outcome: 'applied', output: {} } : UNDECIDED
}
