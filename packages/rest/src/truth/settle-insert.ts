import type { EntityWrite, WriteResult } from '../entity/entity-write.ts'
import { EntityAlreadyExistsError } from '../errors/entity-already-exists-error.ts'
import type { ServiceError } from '../errors/service-error.ts'
import { isOlder } from './judge-entity.ts'
import { type Settlement, UNDECIDED, type Witness } from './reconciliation.ts'
import { hasSameContent } from './same-content.ts'

/**
 * Decides what it means that the repetition of an insert met an entity: someone else's, or the one
 * that the first attempt stored.
 *
 * An entity older than the call is someone else's. A newer one with the same content counts as ours,
 * although someone else may have stored the very same in that moment. A newer one with other content
 * is a conflict, and ours may have been there before it. As long as no answer has told the service's
 * clock, the same content decides nothing.
 *
 * @param refusal - the answer to the repetition
 * @param write - what was to be stored
 * @param witness - reads what is stored
 */
export async function settleInsert(
  refusal: ServiceError,
  write: EntityWrite,
  witness: Witness,
): Promise<Settlement<WriteResult>> {
  if (refusal.code !== 'EntityAlreadyExists') return UNDECIDED
  const found = await witness.entity(write.table, write.key)
  if (found === undefined) return UNDECIDED
  if (isOlder(found, witness.since)) return { outcome: 'refused', error: refusal }
  if (!hasSameContent(write.body, found.raw)) {
    return { outcome: 'refused', error: overwritten(refusal) }
  }
  if (!witness.isDated) return UNDECIDED
  const { etag, raw } = found
  const result = { etag, etagIsOwn: false as const }
  return { outcome: 'applied', output: write.echo === true ? { ...result, raw } : result }
}

function overwritten({ message, status, code, requestId, operation }: ServiceError): ServiceError {
  return new EntityAlreadyExistsError({
    message: `${message}. The answer to an earlier attempt was lost; it may have been applied, and the entity written anew since.`,
    status,
    code,
    requestId,
    operation,
    mayHaveApplied: true,
  })
}
