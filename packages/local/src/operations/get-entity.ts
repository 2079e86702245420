import { evaluateFilter, type FilterNode } from '@rowkey/odata'
import { allowedRows } from '../access/allowed-rows.ts'
import type { Answer } from '../answer/answer.ts'
import { printContentType } from '../answer/content-type.ts'
import { metadataLevel } from '../call/metadata-level.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { encodeEntity } from '../entity/encode-entity.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { checkQueryOptions, selectedNames } from '../paging/page-options.ts'
import { readFilter } from '../paging/read-filter.ts'
import type { Service } from '../service/service.ts'
import { holdsKey } from '../store/key-range.ts'
import { requestedTable } from './requested-table.ts'

/**
 * Query Entities at one key: `GET /table(PartitionKey='…',RowKey='…')`. A row outside the grant of
 * the call, or one that its `$filter` does not match, is not found.
 */
export async function getEntity(service: Service, call: ServiceCall): Promise<Answer> {
  const level = metadataLevel(call)
  checkQueryOptions(call.query)
  const filter = readFilter(call.query)
  const selectText = call.query.get('$select')
  const select = selectedNames(selectText)
  const table = await requestedTable(service, call)
  if (call.resource.kind !== 'entity') throw new ServiceFault('InvalidUri')
  const { key } = call.resource
  const row = holdsKey(allowedRows(call.grant), key) ? await table.get(key) : undefined
  if (row === undefined || !matches(filter, row)) throw new ServiceFault('ResourceNotFound')
  const { base, account } = call
  return {
    status: 200,
    headers: { 'content-type': printContentType(level), etag: row.etag },
    body: encodeEntity(row, { level, base, account, table: table.name, select, selectText }),
  }
}

function matches(filter: FilterNode | undefined, row: StoredEntity): boolean {
  return filter === undefined || evaluateFilter(filter, (name) => row.property(name))
}
