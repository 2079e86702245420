import { evaluateFilter, type FilterNode, keyBounds } from '@rowkey/odata'
import { allowedRows } from '../access/permissions.ts'
import { type EntityFormat, encodeElement, encodeEntities } from '../entity/encode-entity.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import {
  EVERYTHING,
  intersection,
  type KeyRange,
  printStoreKey,
  rangeFrom,
  rangeOf,
} from '../keys/key-range.ts'
import { parseTokenPart, printTokenPart } from '../query/continuation-token.ts'
import { checkQueryOptions, pageLength, selectedNames } from '../query/query-options.ts'
import { readFilter } from '../query/read-filter.ts'
import { Rejection } from '../rejection/rejection.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import type { QueryParameters } from '../request/query-parameters.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { printContentType, type ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import type { StoredTable } from '../store/table-store.ts'
import { requestedTable } from './requested-table.ts'

/**
 * Bytes of rows after which a page ends. A thousand rows of 1 MiB would not fit into one text, and
 * all other requests would wait for it.
 */
const FULL_PAGE = 16_777_216

/** A page of rows, and where the next page begins. */
interface Page {
  /** The encoded rows with commas between them. */
  readonly elements: string
  /** The first row that is left; absent at the end. */
  readonly next: StoredEntity | undefined
}

/** Query Entities: `GET /table()`, ordered by PartitionKey and RowKey. */
export async function queryEntities(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const level = metadataLevel(request)
  checkQueryOptions(request.query)
  const table = await requestedTable(service, request)
  const filter = readFilter(request.query)
  const selectText = request.query.get('$select')
  const select = selectedNames(selectText)
  const range = intersection(rangeToRead(filter, request.query), allowedRows(request.grant))
  const { base, account } = request
  const format = { level, base, account, table: table.name, select, selectText }
  const { rowsToRead } = service
  const length = pageLength(request.query)
  const page = await readPage(table, { filter, range, length, rowsToRead, format })
  const headers: Record<string, string> = { 'content-type': printContentType(level) }
  if (page.next !== undefined) {
    headers['x-ms-continuation-nextpartitionkey'] = printTokenPart(page.next.partitionKey)
    headers['x-ms-continuation-nextrowkey'] = printTokenPart(page.next.rowKey)
  }
  return { status: 200, headers, body: encodeEntities(page.elements, format) }
}

/** What a page consists of. */
interface PageRequest {
  readonly filter: FilterNode | undefined
  readonly range: KeyRange
  /** The most rows in the page. */
  readonly length: number
  /** The most rows to read, matching or not. */
  readonly rowsToRead: number
  readonly format: EntityFormat
}

async function readPage(
  table: StoredTable,
  { filter, range, length, rowsToRead, format }: PageRequest,
): Promise<Page> {
  let read = 0
  let found = 0
  // Added up, not joined: the engine flattens the text once, when it is sent.
  let elements = ''
  let next: StoredEntity | undefined
  let seen: StoredEntity
  const property = (name: string) => seen.property(name)
  await table.scan(range, (row) => {
    if (found === length || elements.length >= FULL_PAGE || read++ === rowsToRead) {
      next = row
      return false
    }
    seen = row
    if (filter === undefined || evaluateFilter(filter, property)) {
      if (found++ > 0) elements += ','
      elements += encodeElement(row, format)
    }
    return true
  })
  return { elements, next }
}

/** Returns the range that the filter allows, from the end of the previous page. */
function rangeToRead(filter: FilterNode | undefined, query: QueryParameters): KeyRange {
  const range = filter === undefined ? EVERYTHING : rangeOf(keyBounds(filter))
  const partition = query.get('NextPartitionKey')
  const row = query.get('NextRowKey')
  if (partition === undefined && row === undefined) return range
  if (partition === undefined || row === '') {
    throw new Rejection('InvalidInput', { text: 'The continuation token is not whole.' })
  }
  const rowKey = row === undefined ? '' : parseTokenPart(row)
  return rangeFrom(range, printStoreKey(parseTokenPart(partition), rowKey))
}
