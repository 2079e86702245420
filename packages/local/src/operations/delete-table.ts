import type { Answer } from '../answer/answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import { requestedName } from './requested-table.ts'

/** Delete Table: `DELETE /Tables('name')`. The name is free again at once. */
export async function deleteTable(service: Service, call: ServiceCall): Promise<Answer> {
  if (!(await service.store.dropTable(call.account, requestedName(call)))) {
    throw new ServiceFault('ResourceNotFound')
  }
  return { status: 204, headers: {}, body: '' }
}
