import { TableAlreadyExistsError, TableNotFoundError } from '../errors/service-error.ts'
import { type Reconciliation, UNDECIDED } from '../request/operation.ts'
import type { TableAddress } from '../request/path.ts'

/**
 * Makes the reconciliation of Create Table: when the retry finds the table, the first attempt counts as
 * its creator.
 *
 * @param output - the output of the operation when it created the table
 */
export function creationReconciliation<Output>(
  output: Output,
): Reconciliation<TableAddress, Output> {
  return {
    settle: (rejection) =>
      rejection instanceof TableAlreadyExistsError ? { outcome: 'applied', output } : UNDECIDED,
    resolve: async ({ table }, witness) =>
      (await witness.hasTable(table)) ? 'applied' : 'not applied',
  }
}

/**
 * Makes the reconciliation of Delete Table: when the retry finds no table, the first attempt counts as
 * successful.
 *
 * @param output - the output of the operation when it deleted the table
 */
export function removalReconciliation<Output>(
  output: Output,
): Reconciliation<TableAddress, Output> {
  return {
    settle: (rejection) =>
      rejection instanceof TableNotFoundError ? { outcome: 'applied', output } : UNDECIDED,
    resolve: async ({ table }, witness) =>
      (await witness.hasTable(table)) ? 'not applied' : 'applied',
  }
}
