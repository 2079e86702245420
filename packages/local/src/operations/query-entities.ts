import { type FilterNode, keyBounds } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { allowedRows } from '../access/permissions.ts'
import type { EntityFormat } from '../entity/encode-entity.ts'
import { encodeElement, encodePageEnds } from '../entity/encode-entity.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import {
  EVERYTHING,
  intersection,
  type KeyRange,
  printStoreKey,
  rangeFrom,
  rangeOf,
} from '../keys/key-range.ts'
import { PageTurns } from '../query/page-turns.ts'
import {
  checkQueryOptions,
  pageLength,
  parseTokenPart,
  printTokenPart,
  selectedNames,
} from '../query/query-options.ts'
import { readFilter } from '../query/read-filter.ts'
import { type RowFilter, rowFilter } from '../query/row-filter.ts'
import { unsortedRows } from '../query/unsorted.ts'
import { Rejection } from '../rejection/rejection.ts'
import { type Client, ClientGone } from '../request/client.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import type { QueryParameters } from '../request/query-parameters.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type Body, printContentType, type ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import type { StoredTable, Visit } from '../store/table-store.ts'
import { requestedTable } from './requested-table.ts'

/**
 * Bytes of rows after which a page ends. A thousand rows of 1 MiB would not fit into one text, and
 * all other requests would wait for it.
 */
const FULL_PAGE = 16_777_216

/** The length from which a piece of a page ends. A little less is in memory that the process has already. */
const FULL_PIECE = 65_536

/** A page of rows, and where the next page begins. */
interface Page {
  readonly body: Body
  /** The first row that is left; absent at the end. */
  readonly next: StoredEntity | undefined
}

/**
 * Query Entities: `GET /table()`, ordered by PartitionKey and RowKey; on Cosmos DB in another
 * order.
 */
export async function queryEntities(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const level = metadataLevel(request)
  checkQueryOptions(request.query)
  // Not later: a folder removes the rows of a table that is dropped in the meantime bit by bit.
  await request.client?.turn?.()
  const table = await requestedTable(service, request)
  const filter = readFilter(request.query)
  const selectText = request.query.get('$select')
  const select = selectedNames(selectText)
  const { base, account, flavour } = request
  const format = { level, base, account, table: table.name, select, selectText, flavour }
  const { rowsToRead, clock } = service
  const length = pageLength(request.query, flavour)
  const turns = new PageTurns({ now: () => clock.now(), rest: request.client?.rest })
  const scan = flavour === 'cosmos' ? unsortedScan(request, filter) : sortedScan(request, filter)
  const page = await readPage(whileWanted(table, request.client), {
    filter: rowFilter(isPartition(filter) ? undefined : filter, flavour),
    scan,
    turns,
    length,
    rowsToRead,
    format,
  })
  const headers = { 'content-type': printContentType(level), ...continuationOf(page, flavour) }
  return { status: 200, headers, body: page.body }
}

/** Returns the headers with the token of the next page; none at the end. */
function continuationOf({ next }: Page, flavour: Flavour | undefined): Record<string, string> {
  if (next === undefined) return {}
  const [partition, row] =
    flavour === 'cosmos'
      ? unsortedRows.printToken(unsortedRows.placeOf(next))
      : [printTokenPart(next.partitionKey), printTokenPart(next.rowKey)]
  return {
    'x-ms-continuation-nextpartitionkey': partition,
    'x-ms-continuation-nextrowkey': row,
  }
}

/** A table, as far as a query reads it. */
type ScannedTable = Pick<StoredTable, 'scan'>

/** Rows that a scan reads before it looks again whether its client is there. */
const ROWS_BETWEEN_LOOKS = 256

/** Ends a scan when its client no longer waits for the page. */
function whileWanted(table: StoredTable, { isGone }: Client = {}): ScannedTable {
  if (isGone === undefined) return table
  return {
    scan(range, visit) {
      let read = 0
      return table.scan(range, (row) => {
        if (read++ % ROWS_BETWEEN_LOOKS === 0 && isGone()) throw new ClientGone()
        return visit(row)
      })
    },
  }
}

/** Visits rows in the order of a response, from where its page begins. */
type Scan = (
  table: ScannedTable,
  turns: PageTurns,
  visit: Visit<[row: StoredEntity]>,
) => Promise<void>

function sortedScan({ query, grant }: ServiceRequest, filter: FilterNode | undefined): Scan {
  const range = intersection(rangeToRead(filter, query), allowedRows(grant))
  return (table, turns, visit) => table.scan(range, turns.divide(visit))
}

function unsortedScan({ query, grant }: ServiceRequest, filter: FilterNode | undefined): Scan {
  const range = intersection(rangeIn(filter), allowedRows(grant))
  const token = query.get('NextPartitionKey')
  const from = token === undefined ? '' : unsortedRows.parseToken(token)
  return async (table, turns, visit) => {
    const rows = await unsortedRows.collect(from, (take) =>
      table.scan(
        range,
        turns.divide((row) => {
          turns.spend(0, row)
          take(row)
          return true
        }),
      ),
    )
    const visitInTurns = turns.divide(visit)
    for (const row of rows) {
      if (!(await visitInTurns(row))) return
    }
  }
}

/** The parts of a page. */
interface PageRequest {
  readonly filter: RowFilter
  readonly scan: Scan
  readonly turns: PageTurns
  /** The most rows in the page. */
  readonly length: number
  /** The most rows to read, matching or not. */
  readonly rowsToRead: number
  readonly format: EntityFormat
}

async function readPage(
  table: ScannedTable,
  { filter, scan, turns, length, rowsToRead, format }: PageRequest,
): Promise<Page> {
  let read = 0
  let found = 0
  let size = 0
  const pieces: string[] = []
  const [before, after] = encodePageEnds(format)
  if (length === 0) return { body: before + after, next: undefined }
  // Added up, not joined: the engine flattens a piece once, when it is sent.
  let piece = before
  let next: StoredEntity | undefined
  await scan(table, turns, (row) => {
    const isFull = found === length || size + piece.length >= FULL_PAGE
    if (isFull || read++ === rowsToRead || turns.isTimeUp) {
      next = row
      return false
    }
    turns.spend(filter.tests, row)
    if (filter.matches(row)) {
      if (found++ > 0) piece += ','
      piece += encodeElement(row, format)
      if (piece.length >= FULL_PIECE) {
        pieces.push(piece)
        size += piece.length
        piece = ''
      }
    }
    return true
  })
  piece += after
  return { body: pieces.length === 0 ? piece : [...pieces, piece], next }
}

/** Returns the range that the filter allows, from the end of the previous page. */
function rangeToRead(filter: FilterNode | undefined, query: QueryParameters): KeyRange {
  const range = rangeIn(filter)
  const partition = query.get('NextPartitionKey')
  const row = query.get('NextRowKey')
  if (partition === undefined && row === undefined) return range
  if (partition === undefined || row === '') {
    throw new Rejection('InvalidInput', { text: 'The continuation token is not whole.' })
  }
  const rowKey = row === undefined ? '' : parseTokenPart(row)
  return rangeFrom(range, printStoreKey(parseTokenPart(partition), rowKey))
}

/** Tells whether a filter is for one whole partition: all rows of its range match. */
function isPartition(filter: FilterNode | undefined): boolean {
  const isOfPartitions = filter?.kind === 'comparison' && filter.property === 'PartitionKey'
  return isOfPartitions && filter.operator === 'eq'
}

function rangeIn(filter: FilterNode | undefined): KeyRange {
  return filter === undefined ? EVERYTHING : rangeOf(keyBounds(filter))
}
