import { deleteTable, type Operation, removalReconciliation } from '@rowkey/rest'

/** Delete Table, where a table that is not there is an answer. True when it was deleted. */
export const deleteTableIfExists: Operation<{ readonly table: string }, boolean> = {
  ...deleteTable,
  expects: ['ResourceNotFound', 'TableNotFound'],
  fromResponse: (response) => response.status < 400,
  reconcile: removalReconciliation(true),
}
