import type { RawEntity } from '@rowkey/odata'
import type { HttpResponse } from '../http/transport.ts'
import {
  type ContinuationToken,
  checkContinuation,
  locationOf,
  queryText,
  readContinuation,
} from '../paging/query-text.ts'
import { getRequest } from '../request/get-request.ts'
import type { Operation } from '../request/operation.ts'
import { entitySetPath } from '../request/path.ts'
import { checkKeys, readRawEntities } from '../response/read-entity.ts'

/**
 * What the RowKeys of all rows begin with that Rowkey stores beside the entities of a program: markers of exact writes, entries of indexes,
 * sums and messages. No RowKey of an entity begins like this.
 *
 * @example
 * ```ts
 * const isKept = rowKey.startsWith(keptMark)
 * ```
 */
export const keptMark = '~rk~'

/** RowKeys that begin like this belong to the markers of exact writes. */
const MARKER_START = `${keptMark}op~`

/** Greater than every marker's RowKey, and less than any other that does not begin like it. */
const AFTER_MARKERS = `${keptMark}oq`

/** The `$filter` of the rows that are markers. */
export const MARKER_FILTER: string = `RowKey ge '${MARKER_START}' and RowKey lt '${AFTER_MARKERS}'`

/**
 * Returns the RowKey of a marker.
 *
 * @param id - the id of the write
 */
export function markerKey(id: string): string {
  return MARKER_START + id
}

/**
 * Tells whether a row is the marker of an exact write, which queries do not show.
 *
 * @param rowKey - the row's RowKey; absent from some projections
 */
function isMarkerKey(rowKey: unknown): boolean {
  return typeof rowKey === 'string' && rowKey.startsWith(MARKER_START)
}

/** The input of a query for entities. */
export interface EntitiesQuery {
  /** The table's name. */
  readonly table: string
  /** The `$filter`; all entities when absent. */
  readonly filter?: string | undefined
  /**
   * The stored names of the properties to read; all when absent or empty. Select RowKey in a table of exact writes: their
   * markers are recognized by it.
   */
  readonly select?: readonly string[] | undefined
  /**
   * The most entities in one page, from 1 to 1,000. It does not limit the whole query.
   *
   * @defaultValue as many as the service returns, at most 1,000
   */
  readonly top?: number | undefined
  /**
   * Where the query continues. The token belongs to its table, filter and select; with others the query
   * fails with `InvalidContinuationToken`.
   */
  readonly continuation?: ContinuationToken | undefined
}

/** One page of entities. */
export interface EntitiesPage {
  /** The entities, in the order of PartitionKey and RowKey; may be empty although more follow. */
  readonly entities: RawEntity[]
  /** Where the query continues; absent on the last page. */
  readonly continuation?: ContinuationToken | undefined
}

/**
 * Reads one page of a query. The service ends a page after 1,000 entities, after five seconds, or
 * between two of its partitions. The markers of exact writes are left out, unless the selection lacks RowKey.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/query-entities
 */
export const queryEntities: Operation<EntitiesQuery, EntitiesPage> = {
  name: 'queryEntities',
  statuses: [200],
  needsEntity: false,

  toRequest(query, endpoint) {
    checkContinuation(query)
    return getRequest(
      endpoint,
      `${entitySetPath(endpoint, query.table)}()`,
      queryText(query, endpoint.flavour),
    )
  },

  fromResponse(response, query) {
    const page = readPage(response, query)
    if (!page.entities.some(({ RowKey }) => isMarkerKey(RowKey))) return page
    return { ...page, entities: page.entities.filter(({ RowKey }) => !isMarkerKey(RowKey)) }
  },

  locationOf,
}

/**
 * Reads the response to a query, with the markers of exact writes.
 *
 * @param response - a response of 200
 * @param query - the input of the query
 * @throws `DecodeError` when the body is not a page of entities
 */
export function readPage(response: HttpResponse, query: EntitiesQuery): EntitiesPage {
  const { headers, location } = response
  const entities = readRawEntities('queryEntities', response)
  const expected = { select: query.select, mayHaveApplied: false }
  for (const raw of entities) checkKeys('queryEntities', raw, expected)
  return { entities, continuation: readContinuation(headers, query, location) }
}
