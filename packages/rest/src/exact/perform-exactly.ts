import { type EntityKey, isRowkeyError } from '@rowkey/odata'
import type { Call, TableService } from '../call/call.ts'
import { restInputError } from '../errors/codes.ts'
import { entityGroupTransaction } from '../operations/entity-group-transaction.ts'
import type { Operation } from '../request/operation.ts'
import { noRetry } from '../retry/retry-policies.ts'
import { exactWrite, MARKER_CODES } from './exact-write.ts'
import { FinishedMarkers } from './finished-markers.ts'
import { markerIdOf, markerOf } from './marker.ts'
import { deletionsOf } from './sweep-markers.ts'
import { planOf, type WritePlan } from './write-plan.ts'

/** The finished markers of each service. */
const finishedOf = new WeakMap<object, FinishedMarkers>()

/**
 * Plans an operation that is to be exact as changes; `undefined` for any other one. Only writes of entities can be exact; every
 * write that may be repeated has a reconciliation.
 *
 * @param call - the call
 * @param operation - the operation
 * @param input - its input
 * @throws `InputError` (`InvalidBatch`) for a transaction that has no room for a marker
 */
export function exactPlan<Input, Output>(
  { service, given }: Call,
  operation: Operation<Input, Output>,
  input: Input,
): WritePlan<Output> | undefined {
  const { exactWrites = service.exactWrites, idempotencyKey } = given
  const isExact = (exactWrites || idempotencyKey !== undefined) && operation.reconcile !== undefined
  return isExact ? planOf(operation, input, service.endpoint) : undefined
}

/**
 * Performs a write exactly: with a marker in its transaction. The same deadline holds for all markers of a key, and for what follows
 * the write.
 *
 * @param call - the call
 * @param operation - the write
 * @param input - its input
 * @param plan - its changes
 * @throws `InputError` (`IdempotencyKeyReused`) when the key belongs to another write
 */
export async function performExactly<Input, Output>(
  call: Call,
  operation: Operation<Input, Output>,
  input: Input,
  plan: WritePlan<Output>,
): Promise<Awaited<Output>> {
  const { service, given } = call
  const { idempotencyKey } = given
  for (let generation = 0; ; generation++) {
    const id =
      idempotencyKey === undefined ? service.newId() : markerIdOf(idempotencyKey, generation)
    try {
      return await performOnce(call, operation, input, plan, id)
    } catch (error) {
      if (hasCode(error, MARKER_CODES.reused)) throw reusedKey(idempotencyKey, error)
      if (!hasCode(error, MARKER_CODES.fenced)) throw error
      // An earlier call with this key was settled as not applied, so the key may be used again.
    }
  }
}

async function performOnce<Input, Output>(
  call: Call,
  operation: Operation<Input, Output>,
  input: Input,
  plan: WritePlan<Output>,
  id: string,
): Promise<Awaited<Output>> {
  const { service } = call
  const marker = markerOf(plan, id)
  const isKeyed = call.given.idempotencyKey !== undefined
  let old: readonly EntityKey[] | undefined
  const onFinished = (storedAt: number): void => {
    // The marker of a caller's key stays until the sweep by age.
    if (!isKeyed) old = finishedIn(service).add(plan.table, marker.row.key, storedAt)
  }
  const { endpoint, now } = service
  const parts = { plan, marker, isKeyed, endpoint, now, onFinished }
  // The transaction is not exact itself, and neither is what follows it.
  const plain = call.plainly()
  const output = await service.line(plain, exactWrite(operation, parts), input)
  if (old !== undefined) {
    const deletions = deletionsOf(plan.table, old)
    const deleted = service.line(plain.with({ retry: noRetry }), entityGroupTransaction, deletions)
    // The write is done; what this leaves behind is swept by age.
    await deleted.catch(() => {})
  }
  return output
}

function finishedIn(service: TableService): FinishedMarkers {
  const known = finishedOf.get(service) ?? new FinishedMarkers()
  finishedOf.set(service, known)
  return known
}

function hasCode(error: unknown, code: string): boolean {
  return isRowkeyError(error) && error.code === code
}

function reusedKey(key: string | undefined, cause: unknown): Error {
  return restInputError({
    code: 'IdempotencyKeyReused',
    message: `idempotencyKey ${JSON.stringify(key)} was used before in this partition, for another write. Make a new key for each write.`,
    cause,
  })
}
