import type { TableService } from '../call/call.ts'
import { type CallOptions, callOptions } from '../call/call-options.ts'
import { insertUnlessStored } from '../call/doubt.ts'
import type { WriteOutcome } from '../errors/ambiguous-write-error.ts'
import { findEntity } from '../operations/get-entity.ts'
import { endingOf, fenceOf, markerIdOf } from './marker.ts'

/** A write that was sent with an `idempotencyKey`, perhaps by another process. */
export interface KeyedWrite {
  /** The table's name. */
  readonly table: string
  /** The partition of the write. */
  readonly partitionKey: string
  /** The key that it was sent with. */
  readonly idempotencyKey: string
}

/**
 * Determines whether a write with an `idempotencyKey` was applied, after the process that sent it has ended.
 * It stores a fence where the write's marker would be. So a write that was not applied so far is never
 * applied, however late its request arrives. A later call with the same key is a new write.
 *
 * The result is `'unknown'` only when the marker was swept at this moment. A write whose marker was swept
 * before counts as not applied, and so does a `deleteEntityIfExists` that found no entity.
 *
 * @param service - the account of the table
 * @param write - the table, the partition and the key
 * @param options - signal, timeout, retry and context of each request, and the deadline of all of them
 * @throws `InputError` (`InvalidOptionValue`) for an invalid key, and the errors of an insert and a read
 *
 * @example
 * ```ts
 * const write = { table: 'orders', partitionKey: 'contoso', idempotencyKey: 'order-7' }
 * await settleIdempotencyKey(service, write) // 'applied'
 * ```
 */
export async function settleIdempotencyKey(
  service: TableService,
  { table, partitionKey, idempotencyKey }: KeyedWrite,
  options: CallOptions = {},
): Promise<WriteOutcome> {
  const where = 'settleIdempotencyKey'
  callOptions.check({ ...options, idempotencyKey }, where)
  return service.call(options, where, async (call) => {
    const plain = call.plainly()
    for (let generation = 0; ; generation++) {
      const fence = fenceOf(table, partitionKey, markerIdOf(idempotencyKey, generation))
      if (await plain.perform(insertUnlessStored, fence)) return 'not applied'
      const found = await plain.atPrimary().perform(findEntity, fence)
      if (found === undefined) return 'unknown'
      const ending = endingOf(found.raw)
      if (ending !== undefined) return ending
    }
  })
}
