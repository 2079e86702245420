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
 * Bytes of rows after which a page ends. A thousand rows of 1 MiB would be more than fits in one
 * text, and all others would wait until it is written.
 */
const FULL_PAGE = 16_777_216

/** One page of rows, and where the next one begins. */
interface Page {
  /** The rows as the answer shows them, with commas between them. */
  readonly elements: string
  /** The first row that was left; absent when there is none. */
  readonly next: StoredEntity | undefined
}

/** Query Entities: `GET /table()`, ordered by PartitionKey and RowKey. */
export async function queryEntities(
  service: Service,
  call: ServiceRequest,
): Promise<ServiceResponse> {
  const level = metadataLevel(call)
  checkQueryOptions(call.query)
  const table = await requestedTable(service, call)
  const filter = readFilter(call.query)
  const selectText = call.query.get('$select')
  const select = selectedNames(selectText)
  const range = intersection(rangeToRead(filter, call.query), allowedRows(call.grant))
  const { base, account } = call
  const format = { level, base, account, table: table.name, select, selectText }
  const { rowsToRead } = service
  const length = pageLength(call.query)
  const page = await readPage(table, { filter, range, length, rowsToRead, format })
  const headers: Record<string, string> = { 'content-type': printContentType(level) }
  if (page.next !== undefined) {
    headers['x-ms-continuation-nextpartitionkey'] = printTokenPart(page.next.partitionKey)
    headers['x-ms-continuation-nextrowkey'] = printTokenPart(page.next.rowKey)
  }
  return { status: 200, headers, body: encodeEntities(page.elements, format) }
}

/** Which rows a page is made of. */
interface PageRequest {
  readonly filter: FilterNode | undefined
  readonly range: KeyRange
  /** Rows that it may hold. */
  readonly length: number
  /** Rows that may be looked at, matching or not. */
  readonly rowsToRead: number
  readonly format: EntityFormat
}

async function readPage(
  table: StoredTable,
  { filter, range, length, rowsToRead, format }: PageRequest,
): Promise<Page> {
  let read = 0
  let found = 0
  // Added up rather than joined: an engine puts such a text together only once, when it is sent.
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

/** What the filter says about the keys, from where the page before left off. */
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
