import { checkRowAllowed } from '../access/permissions.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import type { ChangeOperation } from '../transaction/entity-change.ts'
import { deleteEntity } from './delete-entity.ts'
import { insertEntity } from './insert-entity.ts'
import { insertOrMergeEntity, mergeEntity } from './merge-entity.ts'
import { requestedTable } from './requested-table.ts'
import { insertOrReplaceEntity, updateEntity } from './update-entity.ts'

/** One write standing alone: a change set of one. */
export async function changeEntity(
  service: Service,
  call: ServiceRequest,
): Promise<ServiceResponse> {
  const operation = chooseChange(call)
  if (operation === undefined) throw new Rejection('MethodNotAllowed')
  const table = await requestedTable(service, call)
  const change = operation(call)
  checkRowAllowed(call.grant, change.key)
  const [written] = await table.change([change.key], ([current]) => [
    change.apply(current, () => service.clock.stamp()),
  ])
  return change.answer(written, table.name)
}

/** Which write a call is, by its verb and whether it has a condition; `undefined` when it is none. */
export function chooseChange(call: ServiceRequest): ChangeOperation | undefined {
  if (call.resource.kind === 'entities') return call.method === 'POST' ? insertEntity : undefined
  if (call.resource.kind !== 'entity') return undefined
  const isConditional = call.headers['if-match'] !== undefined
  switch (call.method) {
    case 'PUT':
      return isConditional ? updateEntity : insertOrReplaceEntity
    case 'MERGE':
    case 'PATCH':
      return isConditional ? mergeEntity : insertOrMergeEntity
    case 'DELETE':
      return deleteEntity
    default:
      return undefined
  }
}
