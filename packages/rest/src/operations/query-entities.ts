import type { RawEntity } from '@rowkey/odata'
import {
  type ContinuationToken,
  checkContinuation,
  locationOf,
  readContinuation,
} from '../paging/continuation-token.ts'
import { queryText } from '../paging/query-text.ts'
import { READ_HEADERS } from '../request/headers.ts'
import type { Operation } from '../request/operation.ts'
import { entitySetPath } from '../request/table-path.ts'
import { checkKeys, readRawEntities } from '../response/read-entity.ts'

/** Which entities to read, and how much of them. */
export interface EntitiesQuery {
  /** The table's name. */
  readonly table: string
  /** The `$filter`; all entities when absent. */
  readonly filter?: string | undefined
  /** The stored names of the properties to read, keys included; all when absent or empty. */
  readonly select?: readonly string[] | undefined
  /**
   * The most entities in one page, from 1 to 1,000. Not a limit of the whole query.
   *
   * @defaultValue as many as the service gives, at most 1,000
   */
  readonly top?: number | undefined
  /**
   * Where to go on. The table, the filter and the select must be as they were for the page that this
   * came with; with others it is a ContinuationTokenError.
   */
  readonly continuation?: ContinuationToken | undefined
}

/** One page of entities. */
export interface EntitiesPage {
  /** The entities, in the order of PartitionKey and RowKey; may be none although more follow. */
  readonly entities: RawEntity[]
  /** Where to go on; absent on the last page. */
  readonly continuation?: ContinuationToken | undefined
}

/**
 * Reads one page of a query. The service ends a page after 1,000 entities, after five seconds, or at
 * a border between its partitions.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-entities
 */
export const queryEntities: Operation<EntitiesQuery, EntitiesPage> = {
  name: 'queryEntities',
  statuses: [200],

  toRequest(query, endpoint) {
    checkContinuation(query)
    return {
      method: 'GET',
      origin: endpoint.origin,
      path: `${entitySetPath(endpoint, query.table)}()`,
      query: queryText(query, endpoint.flavour),
      headers: READ_HEADERS,
      body: undefined,
    }
  },

  fromResponse(response, query) {
    const { headers, location } = response
    const entities = readRawEntities('queryEntities', response)
    const expected = { select: query.select, mayHaveApplied: false }
    for (const raw of entities) checkKeys('queryEntities', raw, expected)
    return {
      entities,
      continuation: readContinuation(headers, query, location),
    }
  },

  locationOf,
}
