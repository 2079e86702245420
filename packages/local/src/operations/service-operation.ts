import type { Answer } from '../answer/answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import type { Service } from '../service/service.ts'

/** What the service does for one kind of request. */
export type ServiceOperation = (service: Service, call: ServiceCall) => Promise<Answer>
