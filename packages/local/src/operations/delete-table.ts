import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { requestedName } from './requested-table.ts'

/**
 * Delete Table: `DELETE /Tables('name')`. The rows are gone at once; the name may be kept for a
 * while.
 */
export async function deleteTable(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const name = requestedName(request)
  const { store, deletions } = service
  if ((await store.findTable(request.account, name)) === undefined) {
    throw new Rejection('ResourceNotFound')
  }
  // First, so that no table of that name is created in between.
  await deletions.begin(request.account, name)
  if (!(await store.dropTable(request.account, name))) throw new Rejection('ResourceNotFound')
  return { status: 204, headers: {}, body: '' }
}
