import { checkRowAllowed } from '../access/permissions.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import type { ChangeOperation } from '../transaction/apply-change-set.ts'
import { deleteEntity } from './delete-entity.ts'
import { insertEntity } from './insert-entity.ts'
import { insertOrMergeEntity, mergeEntity } from './merge-entity.ts'
import { requestedTable } from './requested-table.ts'
import { insertOrReplaceEntity, updateEntity } from './update-entity.ts'

/** Applies a single write: a change set with one change. */
export async function changeEntity(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const operation = chooseChange(request)
  if (operation === undefined) throw new Rejection('MethodNotAllowed')
  const table = await requestedTable(service, request)
  const change = operation(request)
  checkRowAllowed(request.grant, change.key)
  const [written] = await table.change([change.key], ([current]) => [
    change.apply(current, () => service.clock.stamp()),
  ])
  return change.respond(written, table.name)
}

/** Chooses the write by its verb and its condition; `undefined` for another operation. */
export function chooseChange(request: ServiceRequest): ChangeOperation | undefined {
  if (request.resource.kind === 'entities')
    return request.method === 'POST' ? insertEntity : undefined
  if (request.resource.kind !== 'entity') return undefined
  const isConditional = request.headers['if-match'] !== undefined
  switch (request.method) {
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
