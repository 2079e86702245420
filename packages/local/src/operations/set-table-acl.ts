import { readSignedIdentifiers } from '../access-policy/signed-identifier.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { requestedTable } from './requested-table.ts'

/** Set Table ACL: `PUT /table?comp=acl`. Replaces all policies of the table. */
export async function setTableAcl(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const table = await requestedTable(service, request)
  await table.setPolicies(await readSignedIdentifiers(request.body))
  return { status: 204, headers: {}, body: '' }
}
