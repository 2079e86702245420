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
 * @param since - a moment before the write was first sent, by the service's clock
 */
export function witnessOf(ask: Ask, since: number): Witness {
  return {
    since,
    entity: (table, key) => ask(findEntity, { table, key }),
    hasTable: (table) => ask(hasTable, { table }),
  }
}
