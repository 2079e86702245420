import {
  type DynamicEntity,
  dynamicEntityCodec,
  hasSameProperties,
  holdsProperties,
  parseDateTime,
  parseEntityObject,
  type RawEntity,
} from '@rowkey/odata'
import type { WriteOutcome } from '../errors/ambiguous-write-error.ts'
import { EntityNotFoundError, type ServiceError } from '../errors/service-error.ts'
import type { ReadResult } from '../request/entity-read.ts'
import type { EntityWrite, EntityWriteName, WriteResult } from '../request/entity-write.ts'
import {
  type Reconciliation,
  type Settlement,
  UNDECIDED,
  type Witness,
} from '../request/operation.ts'

/** Determines the outcome of a write of one entity. */
type EntityReconciliation = Reconciliation<EntityWrite, WriteResult>

/**
 * Makes the reconciliation of a write whose outcome shows in one entity.
 *
 * @param judge - decides by the stored entity whether the write was applied
 * @param settle - decides what a rejected retry means; without it, nothing is decided
 */
export function reconciliationBy(
  judge: Judge,
  settle?: EntityReconciliation['settle'],
): EntityReconciliation {
  return {
    ...(settle && { settle }),
    resolve: async (write, witness) => (await evidenceOf(judge, write, witness)).outcome,
  }
}

/** What the entity of a write in doubt shows. */
export interface Evidence {
  /** What is stored now; `undefined` when nothing is. */
  readonly found: ReadResult | undefined
  /** Whether that shows that the write was applied. */
  readonly outcome: WriteOutcome
}

async function evidenceOf(judge: Judge, write: EntityWrite, witness: Witness): Promise<Evidence> {
  const found = await witness.entity(write.table, write.key)
  const outcome = judge(write, found, witness.since)
  // Without the service's clock, the entity may have been stored long before.
  const isProof = found === undefined || witness.isDated
  return { found, outcome: outcome === 'applied' && !isProof ? 'unknown' : outcome }
}

/**
 * Decides by a stored entity whether a write was applied.
 *
 * @param write - the write
 * @param found - what is stored now; `undefined` when nothing is
 * @param since - a moment before the write was first sent, by the service's clock
 */
export type Judge = (
  write: EntityWrite,
  found: ReadResult | undefined,
  since: number,
) => WriteOutcome

/**
 * Tells whether an entity was last written before a moment, and so not by a write that was sent later.
 *
 * @param found - what is stored now
 * @param since - milliseconds since 1970, UTC
 */
export function isOlder({ raw }: ReadResult, since: number): boolean {
  return typeof raw.Timestamp === 'string' && parseDateTime(raw.Timestamp).getTime() < since
}

/**
 * Judges an insert, and an unconditional write of the whole entity. Another program may have stored
 * the same content, so `'applied'` is not a proof.
 */
export const judgeReplacement: Judge = (write, found, since) => {
  if (found === undefined || isOlder(found, since)) return 'not applied'
  return hasSameContent(write.body, found.raw) ? 'applied' : 'unknown'
}

/** Judges an unconditional write of some properties. */
export const judgeMerge: Judge = (write, found, since) => {
  if (found === undefined || isOlder(found, since)) return 'not applied'
  return holdsContent(write.body, found.raw) ? 'applied' : 'unknown'
}

/** Judges an unconditional delete: a missing entity counts as deleted. */
export const judgeDeletion: Judge = (_write, found, since) => {
  if (found === undefined) return 'applied'
  return isOlder(found, since) ? 'not applied' : 'unknown'
}

/**
 * Judges a write with an ETag. The same ETag is still stored: the write was not applied. Another ETag
 * is stored: this write or another program changed the entity, and both look the same.
 *
 * @param judge - judges a write with the ETag `'*'`
 */
export function byCondition(judge: Judge): Judge {
  return (write, found, since) => {
    if (write.etag === '*') return judge(write, found, since)
    if (found === undefined) return 'unknown'
    return found.etag === write.etag || isOlder(found, since) ? 'not applied' : 'unknown'
  }
}

/**
 * Determines who stored the entity that the retry of an insert found.
 *
 * It was stored before the call: another program stored it. It was stored since, with the same content: the
 * first attempt counts as the one, although another program may have stored the same in that moment. It has
 * other content: the insert may have been applied before. It is missing: it may have been stored and
 * deleted since.
 *
 * @param rejection - the error of the retry
 * @param write - the insert
 * @param witness - reads what is stored
 */
export async function settleInsert(
  rejection: ServiceError,
  write: EntityWrite,
  witness: Witness,
): Promise<Settlement<WriteResult>> {
  if (rejection.code !== 'EntityAlreadyExists') return UNDECIDED
  const { found, outcome } = await evidenceOf(judgeReplacement, write, witness)
  if (found === undefined || outcome === 'unknown') return UNDECIDED
  if (outcome === 'not applied') return { outcome: 'rejected', error: rejection }
  return { outcome, output: insertedOutput(write, found) }
}

/**
 * Returns the output of an insert that turned out to be applied.
 *
 * @param write - the insert
 * @param found - what is stored now
 */
export function insertedOutput({ echo }: EntityWrite, { etag, raw }: ReadResult): WriteResult {
  const output = { etag, etagIsOwn: false as const }
  return echo === true ? { ...output, raw } : output
}

/**
 * Determines the outcome when the retry of a delete finds no entity: an unconditional delete
 * succeeded. A delete with an ETag also requires that the entity had not changed, which cannot be determined.
 *
 * @param rejection - the error of the retry
 * @param write - the delete
 */
export function settleDeletion(
  rejection: ServiceError,
  { etag }: EntityWrite,
): Settlement<WriteResult> {
  const isGone = rejection instanceof EntityNotFoundError && etag === '*'
  return isGone ? { outcome: 'applied', output: {} } : UNDECIDED
}

/**
 * Tells whether a stored entity has exactly the properties that were sent, each with the same type and
 * value. Keys, Timestamp and ETag do not count.
 *
 * @param body - the JSON that was sent
 * @param stored - the entity that was read
 */
export function hasSameContent(body: string, stored: RawEntity): boolean {
  const sent = readSent(body)
  const { properties } = dynamicEntityCodec.read(stored)
  return sent !== undefined && hasSameProperties(properties, sent.properties)
}

/**
 * Tells whether a stored entity has every property that was sent, with the same type and value, as
 * after a merge.
 *
 * @param body - the JSON that was sent
 * @param stored - the entity that was read
 */
export function holdsContent(body: string, stored: RawEntity): boolean {
  const sent = readSent(body)
  const { properties } = dynamicEntityCodec.read(stored)
  return sent !== undefined && holdsProperties(properties, sent.properties)
}

/** Reads a body; a caller's body may not be an entity, and then equals nothing that is stored. */
function readSent(body: string): DynamicEntity | undefined {
  try {
    return dynamicEntityCodec.read(parseEntityObject(body))
  } catch {
    return undefined
  }
}

/** The reconciliation of each write of one entity, by the name of the operation. */
export const entityReconciliations: Readonly<Record<EntityWriteName, EntityReconciliation>> = {
  deleteEntity: reconciliationBy(byCondition(judgeDeletion), settleDeletion),
  insertEntity: reconciliationBy(judgeReplacement, settleInsert),
  insertOrMergeEntity: reconciliationBy(judgeMerge),
  insertOrReplaceEntity: reconciliationBy(judgeReplacement),
  mergeEntity: reconciliationBy(byCondition(judgeMerge)),
  updateEntity: reconciliationBy(byCondition(judgeReplacement)),
}
