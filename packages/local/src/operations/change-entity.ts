import { checkRowAllowed } from '../access/allowed-rows.ts'
import type { Answer } from '../answer/answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { Service } from '../service/service.ts'
import { chooseChange } from './choose-change.ts'
import { requestedTable } from './requested-table.ts'

/** One write standing alone: a change set of one. */
export async function changeEntity(service: Service, call: ServiceCall): Promise<Answer> {
  const operation = chooseChange(call)
  if (operation === undefined) throw new ServiceFault('MethodNotAllowed')
  const table = await requestedTable(service, call)
  const change = operation(call)
  checkRowAllowed(call.grant, change.key)
  const [written] = await table.change([change.key], ([current]) => [
    change.apply(current, () => service.clock.stamp()),
  ])
  return change.answer(written, table.name)
}
