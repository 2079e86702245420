import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { requestedName } from './requested-table.ts'

/** Delete Table: `DELETE /Tables('name')`. The rows are gone at once; the name may be kept a while. */
export async function deleteTable(
  service: Service,
  call: ServiceRequest,
): Promise<ServiceResponse> {
  const name = requestedName(call)
  const { store, deletions } = service
  if ((await store.findTable(call.account, name)) === undefined) {
    throw new Rejection('ResourceNotFound')
  }
  // First, or a table of that name could be created in between.
  await deletions.begin(call.account, name)
  if (!(await store.dropTable(call.account, name))) throw new Rejection('ResourceNotFound')
  return { status: 204, headers: {}, body: '' }
}
