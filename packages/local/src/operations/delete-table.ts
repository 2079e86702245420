import type { Answer } from '../answer/answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import { requestedName } from './requested-table.ts'

/** Delete Table: `DELETE /Tables('name')`. The rows are gone at once; the name may be kept a while. */
export async function deleteTable(service: Service, call: ServiceCall): Promise<Answer> {
  const name = requestedName(call)
  const { store, deletions } = service
  if ((await store.findTable(call.account, name)) === undefined) {
    throw new ServiceFault('ResourceNotFound')
  }
  // First, or a table of that name could be created in between.
  await deletions.begin(call.account, name)
  if (!(await store.dropTable(call.account, name))) throw new ServiceFault('ResourceNotFound')
  return { status: 204, headers: {}, body: '' }
}
