import { isRowkeyError } from '@rowkey/odata'
import type { Resolution } from '../errors/ambiguous-write-error.ts'
import { AuthenticationError } from '../errors/service-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { findEntity } from '../operations/get-entity.ts'
import { getTable } from '../operations/get-table.ts'
import { insertEntity } from '../operations/insert-entity.ts'
import type { EntityWrite } from '../request/entity-write.ts'
import { type Operation, UNDECIDED, type Witness } from '../request/operation.ts'
import type { TableAddress } from '../request/path.ts'
import { withDeadline } from './call-options.ts'
import type { Call } from './types.ts'

/**
 * Determines the outcome of a write in doubt, for `AmbiguousWriteError.resolve`. It reads as a call of its own:
 * the signal and the deadline of the write may be over.
 *
 * @param call - the write
 * @param clock - the service's clock, as far as the write has shown it
 */
export async function resolveDoubt<Input, Output>(
  call: Call<Input, Output>,
  clock: ServiceClock,
): Promise<Resolution> {
  const { timeout, retry, context } = call.options
  // All of its reads share the deadline of the service.
  const options = withDeadline({ timeout, retry, context }, call.service.defaults)
  const witness = witnessOf(call, options, clock)
  try {
    const outcome = await call.operation.reconcile?.resolve?.(call.input, witness)
    return { outcome: outcome ?? 'unknown' }
  } catch (reason) {
    if (isForbidden(reason)) return { outcome: 'unknown', reason }
    throw reason
  }
}

/** A credential that may write and not read will not be able to read the next time either. */
function isForbidden(error: unknown): boolean {
  if (error instanceof AuthenticationError) return true
  return isRowkeyError(error) && error.code === 'OutsideSasScope'
}

/** The difference to the service's clock, corrected by responses. */
interface ServiceClock {
  readonly since: number
  readonly isDated: boolean
  readClock(response: HttpResponse): void
}

/** Get Table, with a missing table as an expected outcome. */
const hasTable: Operation<TableAddress, boolean> = {
  name: 'getTable',
  addresses: 'table',
  toRequest: getTable.toRequest,
  statuses: [200],
  expects: ['ResourceNotFound', 'TableNotFound'],
  fromResponse(response, address) {
    if (response.status >= 400) return false
    // The page of a proxy proves nothing, and throws.
    getTable.fromResponse(response, address)
    return true
  },
}

/** Insert Entity, with an existing row as an expected outcome: tells whether the row was stored. */
export const insertUnlessStored: Operation<EntityWrite, boolean> = {
  name: 'insertEntity',
  statuses: [201, 204],
  expects: ['EntityAlreadyExists'],
  toRequest: insertEntity.toRequest,
  fromResponse: (response) => response.status < 400,
  reconcile: {
    settle: ({ code }) =>
      code === 'EntityAlreadyExists' ? { outcome: 'applied', output: false } : UNDECIDED,
  },
}

/**
 * Makes a witness that reads at the primary, and reads the service's clock from each response.
 *
 * @param call - the write in doubt
 * @param callOptions - the options of each read
 * @param clock - the service's clock
 */
export function witnessOf<Input, Output>(
  { perform }: Call<Input, Output>,
  callOptions: Call['options'],
  clock: ServiceClock,
): Witness {
  const options = { ...callOptions, locationMode: 'primaryOnly', exactWrites: false } as const
  const datedFind: typeof findEntity = {
    ...findEntity,
    fromResponse(response, input) {
      clock.readClock(response)
      return findEntity.fromResponse(response, input)
    },
  }
  return {
    get since() {
      return clock.since
    },
    get isDated() {
      return clock.isDated
    },
    entity: (table, key) => perform(datedFind, { table, key }, options),
    hasTable: (table) => perform(hasTable, { table }, options),
    insert: (row) => perform(insertUnlessStored, row, options),
  }
}
