import type { Answer } from '../answer/answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { readServiceProperties } from '../properties/read-service-properties.ts'
import type { Service } from '../service/service.ts'

/** Set Table Service Properties: `PUT /?restype=service&comp=properties`. */
export async function setServiceProperties(service: Service, call: ServiceCall): Promise<Answer> {
  await service.store.setProperties(call.account, readServiceProperties(call.body))
  return { status: 202, headers: {}, body: '' }
}
