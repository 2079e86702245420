import { removalReconciliation } from '../reconcile/reconcile-table.ts'
import { READ_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'
import { type TableAddress, tableSegment } from '../request/path.ts'

/**
 * Deletes a table with everything in it. It fails with a TableNotFoundError when the table does not
 * exist. The name cannot be used again for a while.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/delete-table
 */
export const deleteTable: Operation<TableAddress, void> = {
  name: 'deleteTable',
  statuses: [204],
  addresses: 'table',

  toRequest({ table }, endpoint) {
    return {
      method: 'DELETE',
      origin: endpoint.origin,
      path: `${endpoint.basePath}/Tables('${tableSegment(endpoint, table)}')`,
      query: '',
      headers: READ_HEADERS,
      body: undefined,
    }
  },

  fromResponse() {},

  reconcile: removalReconciliation(undefined),
}

/** Deletes a table if it exists. Resolves to true when it was deleted, to false when it was missing. */
export const deleteTableIfExists: Operation<TableAddress, boolean> = {
  ...deleteTable,
  expects: ['ResourceNotFound', 'EntityNotFound', 'TableNotFound'],
  fromResponse: (response) => response.status < 400,
  reconcile: removalReconciliation(true),
}
