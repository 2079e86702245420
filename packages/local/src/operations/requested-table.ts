import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import type { StoredTable } from '../store/table-store.ts'

/** The name of the table that a call's path holds. */
export function requestedName(call: ServiceCall): string {
  if ('table' in call.resource) return call.resource.table
  throw new ServiceFault('InvalidUri')
}

/** The table whose rows a call is about. */
export async function requestedTable(service: Service, call: ServiceCall): Promise<StoredTable> {
  const name = requestedName(call)
  const table = await service.store.findTable(call.account, name)
  if (table !== undefined) return table
  await service.deletions.check(call.account, name)
  throw new ServiceFault('TableNotFound')
}
