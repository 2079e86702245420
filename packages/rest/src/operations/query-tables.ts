import {
  type ContinuationToken,
  checkContinuation,
  locationOf,
  queryText,
  readContinuation,
} from '../paging/query-text.ts'
import { getRequest } from '../request/get-request.ts'
import type { Operation } from '../request/operation.ts'
import { readRawEntities, tableNameIn } from '../response/read-entity.ts'

/** The input of a query for tables. */
export interface TablesQuery {
  /** The `$filter`, over `TableName`; all tables when absent. */
  readonly filter?: string | undefined
  /** The most tables in one page, from 1 to 1,000. */
  readonly top?: number | undefined
  /**
   * Where the query continues. The token belongs to its filter; with another the query fails with
   * `InvalidContinuationToken`.
   */
  readonly continuation?: ContinuationToken | undefined
}

/** One page of tables. */
export interface TablesPage {
  /** The tables' names. */
  readonly tables: string[]
  /** Where the query continues; absent on the last page. */
  readonly continuation?: ContinuationToken | undefined
}

/**
 * Lists one page of the account's tables.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-tables
 */
export const queryTables: Operation<TablesQuery, TablesPage> = {
  name: 'queryTables',
  statuses: [200],
  addresses: 'table',

  toRequest({ filter, top, continuation }, endpoint) {
    checkContinuation({ filter, continuation })
    return getRequest(
      endpoint,
      `${endpoint.basePath}/Tables`,
      queryText({ filter, top, continuation }, endpoint.flavour),
    )
  },

  fromResponse(response, { filter }) {
    const { headers, location } = response
    return {
      tables: readRawEntities('queryTables', response).map((raw) =>
        tableNameIn('queryTables', raw),
      ),
      continuation: readContinuation(headers, { filter }, location),
    }
  },

  locationOf,
}
