import { createTable, creationReconciliation, type Operation } from '@rowkey/rest'

/** Create Table, where a table that is there already is an answer. True when it was made. */
export const createTableIfNotExists: Operation<{ readonly table: string }, boolean> = {
  ...createTable,
  expects: ['TableAlreadyExists'],
  fromResponse: (response) => response.status < 400,
  reconcile: creationReconciliation(true),
}
