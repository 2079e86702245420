import type { Answer } from '../answer/answer.ts'
import { xmlAnswer } from '../answer/xml-answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { printServiceProperties } from '../properties/print-service-properties.ts'
import type { Service } from '../service/service.ts'

/** Get Table Service Properties: `GET /?restype=service&comp=properties`. */
export async function getServiceProperties(service: Service, call: ServiceCall): Promise<Answer> {
  return xmlAnswer(printServiceProperties(await service.store.properties(call.account)))
}
