import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { Service } from '../service/service.ts'
import type { StoredTable } from '../store/table-store.ts'

/** The name of the table that a call's path holds. */
export function requestedName(call: ServiceRequest): string {
  if ('table' in call.resource) return call.resource.table
  throw new Rejection('InvalidUri')
}

/** The table whose rows a call is about. */
export async function requestedTable(service: Service, call: ServiceRequest): Promise<StoredTable> {
  const name = requestedName(call)
  const table = await service.store.findTable(call.account, name)
  if (table !== undefined) return table
  await service.deletions.check(call.account, name)
  throw new Rejection('TableNotFound')
}
