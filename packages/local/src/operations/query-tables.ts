import { evaluateFilter, type FilterNode, usesIn } from '@rowkey/odata'
import { encodeTables } from '../entity/encode-table.ts'
import { PageTurns } from '../query/page-turns.ts'
import {
  checkQueryOptions,
  pageLength,
  parseTokenPart,
  printTokenPart,
} from '../query/query-options.ts'
import { readFilter } from '../query/read-filter.ts'
import { type TableOrder, unsortedTables } from '../query/unsorted.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { printContentType, type ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'

/** Query Tables: `GET /Tables`, ordered by name in lower case; on Cosmos DB in another order. */
export async function queryTables(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const level = metadataLevel(request)
  checkQueryOptions(request.query)
  const filter = readFilter(request.query)
  const { base, account, flavour } = request
  const wanted = pageLength(request.query, flavour)
  const length = Math.min(wanted, service.rowsToRead)
  const from = request.query.get('NextTableName')
  const order = flavour === 'cosmos' ? unsortedTables : BY_NAME
  const first = from === undefined ? '' : order.parseToken(from)
  const names = await service.store.tableNames(account)
  const places = names
    .map((name) => ({ name, place: order.placeOf(name) }))
    .filter(({ place }) => place >= first)
    .sort((a, b) => (a.place < b.place ? -1 : 1))
  const turns = new PageTurns({ now: () => service.clock.now(), rest: request.client?.rest })
  const tests = filter === undefined ? 0 : Array.from(usesIn(filter)).length
  const found: string[] = []
  let next: string | undefined
  for (const { name, place } of places) {
    if (turns.isOver) await turns.next()
    turns.spend(tests, { element: name })
    if (!turns.isTimeUp && !isMatch(filter, name)) continue
    if (turns.isTimeUp || found.length === length) {
      next = place
      break
    }
    found.push(name)
  }
  const headers: Record<string, string> = { 'content-type': printContentType(level) }
  if (next !== undefined && wanted > 0) {
    headers['x-ms-continuation-nexttablename'] = order.printToken(next, length)
  }
  const body = encodeTables(found, { level, base, account, flavour })
  return { status: 200, headers, body }
}

const BY_NAME: TableOrder = {
  placeOf: (name) => name.toLowerCase(),
  printToken: printTokenPart,
  parseToken: parseTokenPart,
}

function isMatch(filter: FilterNode | undefined, name: string): boolean {
  if (filter === undefined) return true
  return evaluateFilter(filter, (property) =>
    property === 'TableName' ? { type: 'String', value: name } : undefined,
  )
}
