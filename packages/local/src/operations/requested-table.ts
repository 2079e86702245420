import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { Service } from '../service/service.ts'
import type { StoredTable } from '../store/table-store.ts'

/**
 * Returns the name of the table in the path of a request.
 *
 * @throws Rejection InvalidUri
 */
export function requestedName(request: ServiceRequest): string {
  if ('table' in request.resource) return request.resource.table
  throw new Rejection('InvalidUri')
}

/**
 * Returns the table in the path of a request.
 *
 * @throws Rejection TableNotFound, or TableBeingDeleted
 */
export async function requestedTable(
  service: Service,
  request: ServiceRequest,
): Promise<StoredTable> {
  const name = requestedName(request)
  const table = await service.store.findTable(request.account, name)
  if (table !== undefined) return table
  await service.deletions.check(request.account, name)
  throw new Rejection('TableNotFound')
}
