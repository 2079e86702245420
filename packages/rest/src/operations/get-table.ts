import { getRequest } from '../request/get-request.ts'
import type { Operation } from '../request/operation.ts'
import { type TableAddress, tableSegment } from '../request/path.ts'
import { readRawEntity, tableNameIn } from '../response/read-entity.ts'

/** A table in the list of its account. */
export interface TableItem {
  /** The table's name, in the case that it was created with. */
  readonly table: string
}

/**
 * Reads one table by its name. It fails with a TableNotFoundError when the table does not exist. Table
 * storage finds the table in any case, Cosmos DB only in the case that it was created with.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-tables
 */
export const getTable: Operation<TableAddress, TableItem> = {
  name: 'getTable',
  statuses: [200],
  addresses: 'table',

  toRequest({ table }, endpoint) {
    return getRequest(endpoint, `${endpoint.basePath}/Tables('${tableSegment(endpoint, table)}')`)
  },

  fromResponse(response, { table }) {
    const found = readRawEntity('getTable', response, false)
    // An emulator returns an empty list although the table exists.
    return { table: Array.isArray(found.value) ? table : tableNameIn('getTable', found) }
  },
}

/**
 * Tells whether a table exists: {@link getTable} with a missing table as an expected outcome.
 *
 * @example
 * ```ts
 * if (!(await perform(service, hasTable, { table: 'people' }))) await perform(service, createTable, { table: 'people' })
 * ```
 */
export const hasTable: Operation<TableAddress, boolean> = {
  name: 'getTable',
  statuses: [200],
  addresses: 'table',
  toRequest: getTable.toRequest,
  expects: ['ResourceNotFound', 'EntityNotFound', 'TableNotFound'],
  fromResponse(response, address) {
    if (response.status >= 400) return false
    // The page of a proxy proves nothing, and throws.
    getTable.fromResponse(response, address)
    return true
  },
}
