import { creationReconciliation } from '../reconcile/reconcile-table.ts'
import { QUIET_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'
import { type TableAddress, tableSegment } from '../request/path.ts'

/**
 * Creates a table. It fails with a TableAlreadyExistsError when a table of the same name exists; Table
 * storage ignores the case of names. It fails with a ServiceError `TableBeingDeleted` while the service
 * still deletes one.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/create-table
 */
export const createTable: Operation<TableAddress, void> = {
  name: 'createTable',
  statuses: [201, 204],
  addresses: 'table',

  toRequest({ table }, endpoint) {
    tableSegment(endpoint, table)
    return {
      method: 'POST',
      origin: endpoint.origin,
      path: `${endpoint.basePath}/Tables`,
      query: '',
      headers: QUIET_HEADERS,
      body: JSON.stringify({ TableName: table }),
    }
  },

  fromResponse() {},

  reconcile: creationReconciliation(undefined),
}

/** Creates a table unless it exists. Resolves to true when it was created, to false when it existed. */
export const createTableIfNotExists: Operation<TableAddress, boolean> = {
  ...createTable,
  expects: ['TableAlreadyExists'],
  fromResponse: (response) => response.status < 400,
  reconcile: creationReconciliation(true),
}
