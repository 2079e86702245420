import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import { readServiceProperties } from '../service-properties/service-properties.ts'

/** Set Table Service Properties: `PUT /?restype=service&comp=properties`. */
export async function setServiceProperties(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const properties = await readServiceProperties(request.body)
  await service.store.setProperties(request.account, properties)
  return { status: 202, headers: {}, body: '' }
}
