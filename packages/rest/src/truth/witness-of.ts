import type { HttpResponse } from '../http/http-response.ts'
import type { Operation } from '../operation.ts'
import { findEntity } from '../operations/find-entity.ts'
import { getTable } from '../operations/get-table.ts'
import type { TableAddress } from '../table/table-address.ts'
import type { Witness } from './reconciliation.ts'

/** Performs a read, within what is left of the call that asks. */
export type Ask = <Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
) => Promise<Awaited<Output>>

/** What is known of the service's clock; every answer may tell more. */
export interface ServiceClock {
  /** A moment before the write was first sent, by the service's clock. */
  readonly since: number
  /** Whether an answer has told the service's clock. */
  readonly isDated: boolean
  /** Learns from the Date of an answer. */
  learn(response: HttpResponse): void
}

/** Get Table, where no table is an answer. */
const hasTable: Operation<TableAddress, boolean> = {
  name: 'getTable',
  addresses: 'table',
  toRequest: getTable.toRequest,
  expects: ['ResourceNotFound', 'TableNotFound'],
  fromResponse: (response) => response.status < 400,
}

/**
 * A witness that reads by way of operations.
 *
 * @param ask - performs them
 * @param clock - what is known of the service's clock; the answers to the reads tell more
 */
export function witnessOf(ask: Ask, clock: ServiceClock): Witness {
  const datedFind: typeof findEntity = {
    ...findEntity,
    fromResponse(response, input) {
      clock.learn(response)
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
    entity: (table, key) => ask(datedFind, { table, key }),
    hasTable: (table) => ask(hasTable, { table }),
  }
}
