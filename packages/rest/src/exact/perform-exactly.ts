import { type EntityKey, isRowkeyError } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import type { Operation } from '../request/operation.ts'
import { withDeadline } from '../retry/deadline.ts'
import { noRetry } from '../retry/retry-policies.ts'
import type { Call, CallService } from '../retry/types.ts'
import { exactWrite, MARKER_CODES } from './exact-write.ts'
import { FinishedMarkers } from './finished-markers.ts'
import { markerIdOf, markerOf } from './marker.ts'
import { deleteTogether } from './sweep-markers.ts'
import { planOf, type WritePlan } from './write-plan.ts'

/** Makes the attempts of a call. */
export type Line = <Input, Output>(call: Call<Input, Output>) => Promise<Awaited<Output>>

/** The finished markers of each service. */
const finishedOf = new WeakMap<CallService, FinishedMarkers>()

/**
 * Performs a write exactly: with a marker in its transaction. Operations that do not change entities are
 * performed as usual.
 *
 * @param call - the call
 * @param operation - its operation, before the service changed how it is sent
 * @param line - makes the attempts
 * @throws `InputError` (`IdempotencyKeyReused`) when the key belongs to another write
 */
export async function performExactly<Input, Output>(
  call: Call<Input, Output>,
  operation: Operation<Input, Output>,
  line: Line,
): Promise<Awaited<Output>> {
  const { service, input, options } = call
  const plan = planOf(operation, input, service.endpoint)
  if (plan === undefined) return line(call)
  const { idempotencyKey } = options
  // One deadline for all markers of a key, and for what follows the write.
  const within = { ...call, options: withDeadline(options, service.defaults) }
  for (let generation = 0; ; generation++) {
    const id =
      idempotencyKey === undefined
        ? service.defaults.newId()
        : markerIdOf(idempotencyKey, generation)
    try {
      return await performOnce({ call: within, operation, plan }, id, line)
    } catch (error) {
      if (hasCode(error, MARKER_CODES.reused)) throw reusedKey(idempotencyKey, error)
      if (!hasCode(error, MARKER_CODES.fenced)) throw error
      // An earlier call with this key was settled as not applied, so the key may be used again.
    }
  }
}

interface PlannedCall<Input, Output> {
  readonly call: Call<Input, Output>
  readonly operation: Operation<Input, Output>
  readonly plan: WritePlan<Output>
}

async function performOnce<Input, Output>(
  { call, operation, plan }: PlannedCall<Input, Output>,
  id: string,
  line: Line,
): Promise<Awaited<Output>> {
  const { service, options } = call
  const marker = markerOf(plan, id)
  const isKeyed = options.idempotencyKey !== undefined
  let old: readonly EntityKey[] | undefined
  const onFinished = (storedAt: number): void => {
    // The marker of a caller's key stays until the sweep by age.
    if (!isKeyed) old = finishedIn(service).add(plan.table, marker.row.key, storedAt)
  }
  const { endpoint, defaults } = service
  const parts = { plan, marker, isKeyed, endpoint, now: defaults.now, onFinished }
  const output = await line({ ...call, operation: exactWrite(operation, parts) })
  if (old !== undefined) await deleteFinished(call, plan.table, old)
  return output
}

/** Deletes old markers of the partition, within the limits of the write that found that there are enough. */
async function deleteFinished<Input, Output>(
  { perform, options: { signal, timeout, deadline } }: Call<Input, Output>,
  table: string,
  keys: readonly EntityKey[],
): Promise<void> {
  // The write is done; what this leaves behind is swept by age.
  const limits = { signal, timeout, deadline, retry: noRetry }
  await deleteTogether(perform, table, keys, limits).catch(() => {})
}

function finishedIn(service: CallService): FinishedMarkers {
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
