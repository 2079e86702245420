import { parseDateTime } from '@rowkey/odata'
import type { WriteOutcome } from '../errors/ambiguous-write-error.ts'
import type { ServiceError } from '../errors/service-error.ts'
import { EntityAlreadyExistsError, EntityNotFoundError } from '../errors/service-error.ts'
import type { ReadResult } from '../request/entity-read.ts'
import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import {
  type Reconciliation,
  type Settlement,
  UNDECIDED,
  type Witness,
} from '../request/operation.ts'
import { hasSameContent, holdsContent } from './same-content.ts'

/** How a write of one entity is settled. */
export type EntityReconciliation = Reconciliation<EntityWrite, WriteResult>

/**
 * The reconciliation of a write whose outcome shows in one entity.
 *
 * @param judge - says by the stored entity whether the write was applied
 * @param settle - what a refused repetition means; without it, nothing
 */
export function entityReconciliation(
  judge: Judge,
  settle?: EntityReconciliation['settle'],
): EntityReconciliation {
  return {
    ...(settle && { settle }),
    async resolve(write, witness) {
      const found = await witness.entity(write.table, write.key)
      const outcome = judge(write, found, witness.since)
      // What is stored may have been there long before, where nobody knows the service's clock.
      const isProof = found === undefined || witness.isDated
      return outcome === 'applied' && !isProof ? 'unknown' : outcome
    },
  }
}

/**
 * Says by a stored entity whether a write was applied.
 *
 * @param write - what was to be written
 * @param found - what is stored now; `undefined` when nothing is
 * @param since - a moment before the write was first sent, by the service's clock
 */
export type Judge = (
  write: EntityWrite,
  found: ReadResult | undefined,
  since: number,
) => WriteOutcome

/**
 * Whether an entity was last written before a moment, and so not by a write that was sent later.
 *
 * @param found - what is stored now
 * @param since - milliseconds since 1970, UTC
 */
export function isOlder({ raw }: ReadResult, since: number): boolean {
  return typeof raw.Timestamp === 'string' && parseDateTime(raw.Timestamp).getTime() < since
}

/**
 * An insert, or a write of the whole entity whatever is stored. Someone else may have stored the very
 * same, so `'applied'` is no proof.
 */
export const judgeReplacement: Judge = (write, found, since) => {
  if (found === undefined || isOlder(found, since)) return 'not applied'
  return hasSameContent(write.body, found.raw) ? 'applied' : 'unknown'
}

/** A write of some properties, whatever is stored. */
export const judgeMerge: Judge = (write, found, since) => {
  if (found === undefined || isOlder(found, since)) return 'not applied'
  return holdsContent(write.body, found.raw) ? 'applied' : 'unknown'
}

/** A delete of whatever is stored: what is not there is deleted, by whomever. */
export const judgeDeletion: Judge = (_write, found, since) => {
  if (found === undefined) return 'applied'
  return isOlder(found, since) ? 'not applied' : 'unknown'
}

/**
 * A write that goes by an ETag, unless that is `'*'`. The same ETag is still there: it was not
 * applied. Another one: the write was the reason, or someone else was, and both look the same.
 *
 * @param judge - for `'*'`
 */
export function byCondition(judge: Judge): Judge {
  return (write, found, since) => {
    if (write.etag === '*') return judge(write, found, since)
    if (found === undefined) return 'unknown'
    return found.etag === write.etag || isOlder(found, since) ? 'not applied' : 'unknown'
  }
}

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
