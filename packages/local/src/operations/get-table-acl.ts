import { printSignedIdentifiers } from '../access-policy/signed-identifier.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type ServiceResponse, xmlResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { requestedTable } from './requested-table.ts'

/** Get Table ACL: `GET /table?comp=acl`. */
export async function getTableAcl(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const table = await requestedTable(service, request)
  return xmlResponse(printSignedIdentifiers(await table.policies()))
}
