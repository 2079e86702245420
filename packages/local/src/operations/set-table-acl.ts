import { readSignedIdentifiers } from '../access-policy/signed-identifiers-xml.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { requestedTable } from './requested-table.ts'

/** Set Table ACL: `PUT /table?comp=acl`. The policies that it gives are all there are then. */
export async function setTableAcl(
  service: Service,
  call: ServiceRequest,
): Promise<ServiceResponse> {
  const table = await requestedTable(service, call)
  await table.setPolicies(readSignedIdentifiers(call.body))
  return { status: 204, headers: {}, body: '' }
}
