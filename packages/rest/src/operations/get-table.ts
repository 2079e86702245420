import { DecodeError } from '@rowkey/odata'
import { READ_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'
import { type TableAddress, tablePath } from '../request/table-path.ts'
import { readRawEntity } from '../response/read-entity.ts'

/** A table as its account lists it. */
export interface TableItem {
  /** The table's name, in the case it was created with. */
  readonly table: string
}

/**
 * Looks up one table by its name, in any case. When there is none, it is a TableNotFoundError.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-tables
 */
export const getTable: Operation<TableAddress, TableItem> = {
  name: 'getTable',
  statuses: [200],
  addresses: 'table',

  toRequest({ table }, endpoint) {
    return {
      method: 'GET',
      origin: endpoint.origin,
      path: tablePath(endpoint, table),
      query: '',
      headers: READ_HEADERS,
      body: undefined,
    }
  },

  fromResponse(response, { table }) {
    const found = readRawEntity('getTable', response, false)
    if (typeof found.TableName === 'string') return { table: found.TableName }
    // An emulator answers with a list that is empty although the table is there.
    if (Array.isArray(found.value)) return { table }
    throw new DecodeError({
      message: 'getTable was answered with a table that has no TableName.',
      mayHaveApplied: false,
    })
  },
}
