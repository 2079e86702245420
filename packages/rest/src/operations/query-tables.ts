import { DecodeError } from '@rowkey/odata'
import {
  type ContinuationToken,
  checkContinuation,
  locationOf,
  readContinuation,
} from '../paging/continuation-token.ts'
import { queryText } from '../paging/query-text.ts'
import { READ_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'
import { readRawEntities } from '../response/read-entity.ts'

/** Which tables of the account to list. */
export interface TablesQuery {
  /** The `$filter`, over `TableName`; all tables when absent. */
  readonly filter?: string | undefined
  /** The most tables in one page, from 1 to 1,000. */
  readonly top?: number | undefined
  /**
   * Where to go on. The filter must be as it was for the page that this came with; with another it is
   * a ContinuationTokenError.
   */
  readonly continuation?: ContinuationToken | undefined
}

/** One page of tables. */
export interface TablesPage {
  /** The tables' names. */
  readonly tables: string[]
  /** Where to go on; absent on the last page. */
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
    return {
      method: 'GET',
      origin: endpoint.origin,
      path: `${endpoint.basePath}/Tables`,
      query: queryText({ filter, top, continuation }, endpoint.flavour),
      headers: READ_HEADERS,
      body: undefined,
    }
  },

  fromResponse(response, { filter }) {
    const { headers, location } = response
    return {
      tables: readRawEntities('queryTables', response).map(({ TableName }) => nameOf(TableName)),
      continuation: readContinuation(headers, { filter }, location),
    }
  },

  locationOf,
}

function nameOf(name: unknown): string {
  if (typeof name === 'string') return name
  throw new DecodeError({
    message: 'queryTables was answered with a table that has no TableName.',
    mayHaveApplied: false,
  })
}
