import type { ServiceCall } from '../call/service-call.ts'
import type { ChangeOperation } from '../transaction/entity-change.ts'
import { deleteEntity } from './delete-entity.ts'
import { insertEntity } from './insert-entity.ts'
import { insertOrMergeEntity } from './insert-or-merge-entity.ts'
import { insertOrReplaceEntity } from './insert-or-replace-entity.ts'
import { mergeEntity } from './merge-entity.ts'
import { updateEntity } from './update-entity.ts'

/** Which write a call is, by its verb and whether it has a condition; `undefined` when it is none. */
export function chooseChange(call: ServiceCall): ChangeOperation | undefined {
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
