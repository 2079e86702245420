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
import { afterApplied, afterUncertain, keepDoubt } from '../snapshot/after-write.ts'
import { showMade } from '../snapshot/object-row.ts'
import { isUnseen, type ObjectTurn, type WrittenObject } from '../snapshot/written-object.ts'
import type { Write } from './write.ts'

/**
 * Sends one change in a request of its own, and updates the written object.
 *
 * @param change - the change
 * @param call - the call
 * @param operation - what is sent, by default the operation of the change
 * @param turn - ends with the change; absent when the caller ends it
 */
export async function sendWrite<Result extends WriteResult = WriteResult>(
  change: Write,
  call: Call,
  operation: Operation<EntityWrite, Result> = change.operation as Operation<EntityWrite, Result>,
  turn?: ObjectTurn,
): Promise<Awaited<Result>> {
  const { write } = change
  try {
    const result = await call.perform(operation, change.input)
    applied(write, { call, result })
    return result
  } catch (error) {
    failed(write, error)
    throw error
  } finally {
    turn?.end()
  }
}

/** Sends one delete; returns false when the entity did not exist. */
export async function sendDeletion(change: Write, call: Call): Promise<boolean> {
  const deletion = change.operation === mergeEntity ? softDeletion : deleteEntityIfExists
  return (await sendWrite(change, call, deletion)).deleted
}

/**
 * Sends changes of one partition in one request: all are applied, or none.
 *
 * @param changes - the changes
 * @param table - the name of the table
 * @param call - the call
 * @param companions - what is stored with them, for no object
 * @returns the results of the changes, and then those of the companions
 */
export async function sendTogether(
  changes: readonly Write[],
  table: string,
  call: Call,
  companions: readonly Change[] = [],
): Promise<WriteResult[]> {
  const changeSet = { table, changes: [...changes, ...companions] }
  try {
    const results = await call.perform(entityGroupTransaction, changeSet)
    changes.forEach(({ write }, index) => {
      applied(write, { call, result: results[index] })
    })
    return results
  } catch (error) {
    for (const { write } of changes) failed(write, error)
    throw error
  }
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

/** A write that succeeded. */
interface AppliedChange {
  readonly call: Call
  readonly result: WriteResult | undefined
}

function applied(write: WrittenObject | undefined, { call, result }: AppliedChange): void {
  if (write === undefined) return
  const etag = result?.etag
  const snapshot = afterApplied(write, etag)
  const { entity, row, shape } = write
  if (row === undefined) return
  // An earlier call with the key may have stored other values.
  if (etag === undefined && call.given.idempotencyKey !== undefined) keepDoubt(write)
  // What was read since is not what was written.
  if (!isUnseen(write)) showMade(entity, write.changes)
  shape.showVersion(entity, snapshot?.etag)
}

function failed(write: WrittenObject | undefined, error: unknown): void {
  if (write !== undefined && mayHaveApplied(error)) afterUncertain(write)
}
