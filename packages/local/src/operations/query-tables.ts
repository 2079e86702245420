import { evaluateFilter, type FilterNode } from '@rowkey/odata'
import { encodeTables } from '../entity/encode-table.ts'
import { parseTokenPart, printTokenPart } from '../query/continuation-token.ts'
import { checkQueryOptions, pageLength } from '../query/query-options.ts'
import { readFilter } from '../query/read-filter.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { printContentType, type ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'

/** Query Tables: `GET /Tables`, ordered by name in lower case. */
export async function queryTables(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const level = metadataLevel(request)
  checkQueryOptions(request.query)
  const filter = readFilter(request.query)
  const length = Math.min(pageLength(request.query), service.rowsToRead)
  const from = request.query.get('NextTableName')
  const first = from === undefined ? '' : parseTokenPart(from)
  const names = await service.store.tableNames(request.account)
  const matches = names.filter((name) => name.toLowerCase() >= first && isMatch(filter, name))
  const next = matches[length]
  const headers: Record<string, string> = { 'content-type': printContentType(level) }
  if (next !== undefined) {
    headers['x-ms-continuation-nexttablename'] = printTokenPart(next.toLowerCase())
  }
  const format = { level, base: request.base, account: request.account }
  return { status: 200, headers, body: encodeTables(matches.slice(0, length), format) }
}

function isMatch(filter: FilterNode | undefined, name: string): boolean {
  if (filter === undefined) return true
  return evaluateFilter(filter, (property) =>
    property === 'TableName' ? { type: 'String', value: name } : undefined,
  )
}
