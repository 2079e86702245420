import type { ServiceRequest } from '../request/service-request.ts'
import { type ServiceResponse, xmlResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { printServiceProperties } from '../service-properties/service-properties.ts'

/** Get Table Service Properties: `GET /?restype=service&comp=properties`. */
export async function getServiceProperties(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  return xmlResponse(printServiceProperties(await service.store.properties(request.account)))
}
