import { encodeTable } from '../entity/encode-table.ts'
import { checkQueryOptions } from '../query/query-options.ts'
import { Rejection } from '../rejection/rejection.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { printContentType, type ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { requestedName } from './requested-table.ts'

/** Query Tables at one name: `GET /Tables('name')`. */
export async function getTable(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const level = metadataLevel(request)
  checkQueryOptions(request.query)
  const table = await service.store.findTable(request.account, requestedName(request))
  if (table === undefined) throw new Rejection('ResourceNotFound')
  const { base, account, flavour } = request
  const body = encodeTable(table.name, { level, base, account, flavour })
  return { status: 200, headers: { 'content-type': printContentType(level) }, body }
}
