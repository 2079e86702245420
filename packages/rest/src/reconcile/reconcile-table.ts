import { TableAlreadyExistsError, TableNotFoundError } from '../errors/service-error.ts'
import { type Reconciliation, UNDECIDED } from '../request/operation.ts'
import type { TableAddress } from '../request/table-path.ts'

/**
 * The reconciliation of Create Table: when the repetition finds the table, the first attempt is taken
 * to have made it.
 *
 * @param output - what the operation gives when it made the table
 */
export function creationReconciliation<Output>(
  output: Output,
): Reconciliation<TableAddress, Output> {
  return {
    settle: (refusal) =>
      refusal instanceof TableAlreadyExistsError ? { outcome: 'applied', output } : UNDECIDED,
    resolve: async ({ table }, witness) =>
      (await witness.hasTable(table)) ? 'applied' : 'not applied',
  }
}

/**
 * The reconciliation of Delete Table: when the repetition finds no table, the first attempt is taken
 * to have deleted it.
 *
 * @param output - what the operation gives when it deleted the table
 */
export function removalReconciliation<Output>(
  output: Output,
): Reconciliation<TableAddress, Output> {
  return {
    settle: (refusal) =>
      refusal instanceof TableNotFoundError ? { outcome: 'applied', output } : UNDECIDED,
    resolve: async ({ table }, witness) =>
      (await witness.hasTable(table)) ? 'not applied' : 'applied',
  }
}
