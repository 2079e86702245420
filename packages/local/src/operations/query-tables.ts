import { evaluateFilter, type FilterNode } from '@rowkey/odata'
import type { Answer } from '../answer/answer.ts'
import { printContentType } from '../answer/content-type.ts'
import { metadataLevel } from '../call/metadata-level.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { encodeTables } from '../entity/encode-table.ts'
import { parseTokenPart, printTokenPart } from '../paging/continuation-token.ts'
import { checkQueryOptions, pageLength } from '../paging/page-options.ts'
import { readFilter } from '../paging/read-filter.ts'
import type { Service } from '../service/service.ts'

/** Query Tables: `GET /Tables`, ordered by name in lower case. */
export async function queryTables(service: Service, call: ServiceCall): Promise<Answer> {
  const level = metadataLevel(call)
  checkQueryOptions(call.query)
  const filter = readFilter(call.query)
  const length = Math.min(pageLength(call.query), service.rowsToRead)
  const from = call.query.get('NextTableName')
  const first = from === undefined ? '' : parseTokenPart(from)
  const names = await service.store.tableNames(call.account)
  const matches = names.filter((name) => name.toLowerCase() >= first && isMatch(filter, name))
  const next = matches[length]
  const headers: Record<string, string> = { 'content-type': printContentType(level) }
  if (next !== undefined) {
    headers['x-ms-continuation-nexttablename'] = printTokenPart(next.toLowerCase())
  }
  const format = { level, base: call.base, account: call.account }
  return { status: 200, headers, body: encodeTables(matches.slice(0, length), format) }
}

function isMatch(filter: FilterNode | undefined, name: string): boolean {
  if (filter === undefined) return true
  return evaluateFilter(filter, (property) =>
    property === 'TableName' ? { type: 'String', value: name } : undefined,
  )
}
