import { allowedRows } from '../access/permissions.ts'
import { encodeEntity } from '../entity/encode-entity.ts'
import { holdsKey } from '../keys/key-range.ts'
import { checkQueryOptions, selectedNames } from '../query/query-options.ts'
import { readFilter } from '../query/read-filter.ts'
import { rowFilter } from '../query/row-filter.ts'
import { Rejection } from '../rejection/rejection.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { printContentType, type ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { requestedTable } from './requested-table.ts'

/**
 * Query Entities at one key: `GET /table(PartitionKey='…',RowKey='…')`. Does not find a row outside
 * the grant of the request, or one that its `$filter` does not match.
 */
export async function getEntity(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const level = metadataLevel(request)
  checkQueryOptions(request.query)
  const filter = readFilter(request.query)
  const selectText = request.query.get('$select')
  const select = selectedNames(selectText)
  const table = await requestedTable(service, request)
  if (request.resource.kind !== 'entity') throw new Rejection('InvalidUri')
  const { key } = request.resource
  const row = holdsKey(allowedRows(request.grant), key) ? await table.get(key) : undefined
  const { base, account, flavour } = request
  if (row === undefined || !rowFilter(filter, flavour).matches(row)) {
    throw new Rejection('ResourceNotFound')
  }
  return {
    status: 200,
    headers: { 'content-type': printContentType(level), etag: row.etag },
    body: encodeEntity(row, {
      level,
      base,
      account,
      table: table.name,
      select,
      selectText,
      flavour,
    }),
  }
}
