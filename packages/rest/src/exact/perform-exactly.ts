import { type EntityKey, isRowkeyError } from '@rowkey/odata'
import { restInputError } from '../errors/codes.ts'
import type { Operation } from '../request/operation.ts'
import { noRetry } from '../retry/retry-policies.ts'
import type { Call, CallService } from '../retry/types.ts'
import { MOST_CHANGES } from '../transaction/change-set-size.ts'
import { exactWrite, MARKER_CODES } from './exact-write.ts'
import { type Marker, markerIdOf, markerOf } from './marker.ts'
import { deleteMarkers } from './sweep-markers.ts'
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
  for (let generation = 0; ; generation++) {
    const id =
      idempotencyKey === undefined
        ? service.defaults.newId()
        : markerIdOf(idempotencyKey, generation)
    try {
      return await performOnce({ call, operation, plan }, id, line)
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
  // The marker of a caller's key, and one that a late attempt must meet, stay until the sweep by age.
  let mayBeDeleted = false
  const onSuccess = (isInDoubt: boolean): void => {
    mayBeDeleted = !isInDoubt && options.idempotencyKey === undefined
  }
  const { endpoint, defaults } = service
  const exact = exactWrite(operation, { plan, marker, endpoint, now: defaults.now, onSuccess })
  const output = await line({ ...call, operation: exact })
  if (mayBeDeleted) await deleteFinished(call, marker)
  return output
}

/** Deletes markers of the partition when there are enough for a transaction. */
async function deleteFinished<Input, Output>(
  { service, perform }: Call<Input, Output>,
  { row }: Marker,
): Promise<void> {
  const finished = finishedOf.get(service) ?? new FinishedMarkers()
  finishedOf.set(service, finished)
  const keys = finished.add(row.table, row.key)
  if (keys === undefined) return
  // The write is done; what this leaves behind is swept by age.
  await deleteMarkers(perform, row.table, keys, { retry: noRetry }).catch(() => {})
}

function hasCode(error: unknown, code: string): boolean {
  return isRowkeyError(error) && error.code === code
}

function reusedKey(key: string | undefined, cause: unknown): Error {
  return restInputError({
    code: 'IdempotencyKeyReused',
    message: `idempotencyKey ${JSON.stringify(key)} was used before in this partition, for a write of other keys or of another kind. Make a new key for each write.`,
    cause,
  })
}

/** The most markers that are remembered; the oldest are left to the sweep by age. */
const MOST_REMEMBERED = 10_000

/** The markers whose writes have ended without doubt: nothing can arrive late, so they can be deleted. */
class FinishedMarkers {
  readonly #keys = new Map<string, EntityKey[]>()
  #count = 0

  /**
   * Adds a marker.
   *
   * @returns 100 markers of its partition to delete in one transaction, when there are so many
   */
  add(table: string, key: EntityKey): readonly EntityKey[] | undefined {
    const partition = JSON.stringify([table.toLowerCase(), key.partitionKey])
    const keys = this.#keys.get(partition) ?? []
    keys.push(key)
    this.#count++
    // Set again, so that the partition that was written last comes last.
    this.#keys.delete(partition)
    if (keys.length >= MOST_CHANGES) {
      this.#count -= keys.length
      return keys
    }
    this.#keys.set(partition, keys)
    this.#forgetOldest()
    return undefined
  }

  #forgetOldest(): void {
    if (this.#count <= MOST_REMEMBERED) return
    for (const [partition, keys] of this.#keys) {
      this.#keys.delete(partition)
      this.#count -= keys.length
      return
    }
  }
}
