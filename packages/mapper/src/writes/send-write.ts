import {
  type Call,
  type Change,
  type DeletionResult,
  deleteEntityIfExists,
  type EntityWrite,
  entityGroupTransaction,
  mayHaveApplied,
  mergeEntity,
  type Operation,
  type WriteResult,
} from '@rowkey/rest'
import { showMade } from '../snapshot/object-row.ts'
import { afterApplied, afterUncertain, isUnseen, keepDoubt } from '../snapshot/written-object.ts'
import type { Write } from './write.ts'

/**
 * Sends a write in a request of its own, and lets its object know how it ended.
 *
 * @param operation - what is sent, by default the operation of the write
 */
export async function sendWrite<Result extends WriteResult = WriteResult>(
  write: Write,
  call: Call,
  operation: Operation<EntityWrite, Result> = write.operation as Operation<EntityWrite, Result>,
): Promise<Awaited<Result>> {
  try {
    const result = await call.perform(operation, write.input)
    learnApplied(write, result, call)
    return result
  } catch (error) {
    learnRejected(write, error)
    throw error
  }
}

/** Sends a delete; returns false when the entity did not exist. */
export async function sendDeletion(write: Write, call: Call): Promise<boolean> {
  const deletion = write.operation === mergeEntity ? softDeletion : deleteEntityIfExists
  return (await sendWrite(write, call, deletion)).deleted
}

/**
 * Sends writes of one partition in one request: all are applied, or none. Lets their objects know how they ended.
 *
 * @param table - the name of the table
 * @param companions - what is stored with them, for no object
 * @returns the results of the writes, and then those of the companions
 */
export async function sendTogether(
  writes: readonly Write[],
  table: string,
  call: Call,
  companions: readonly Change[] = [],
): Promise<WriteResult[]> {
  const changeSet = { table, changes: [...writes, ...companions] }
  try {
    const results = await call.perform(entityGroupTransaction, changeSet)
    writes.forEach((write, index) => {
      learnApplied(write, results[index], call)
    })
    return results
  } catch (error) {
    for (const write of writes) learnRejected(write, error)
    throw error
  }
}

/**
 * Leaves a companion out of the idempotency key. A key covers only the caller's writes, because what follows
 * from them may differ later.
 */
export function unknownToKeys({ operation, input }: Change): Change {
  return { operation, input: { ...input, knownAs: '' } }
}

/** A soft delete of an entity that may be missing, which merges the time of the deletion into it. */
const softDeletion: Operation<EntityWrite, DeletionResult> = {
  ...mergeEntity,
  expects: deleteEntityIfExists.expects ?? [],
  fromResponse: (response, input) =>
    response.status >= 400
      ? { deleted: false }
      : { ...mergeEntity.fromResponse(response, input), deleted: true },
  reconcile: mergeEntity.reconcile?.resolve ? { resolve: mergeEntity.reconcile.resolve } : {},
}

function learnApplied({ object }: Write, result: WriteResult | undefined, call: Call): void {
  if (object === undefined) return
  const etag = result?.etag
  const snapshot = afterApplied(object, etag)
  const { entity, row, shape } = object
  if (row === undefined) return
  // An earlier call with the key may have stored other values.
  if (etag === undefined && call.given.idempotencyKey !== undefined) keepDoubt(object)
  // What was read since is not what was written.
  if (!isUnseen(object)) showMade(entity, object.changes)
  shape.showVersion(entity, snapshot?.etag)
}

function learnRejected({ object }: Write, error: unknown): void {
  if (object !== undefined && mayHaveApplied(error)) afterUncertain(object)
}
