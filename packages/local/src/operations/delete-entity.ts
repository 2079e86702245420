import { conditionOf, keyOf } from '../entity/entity-request.ts'
import { matchETag } from '../entity/stored-entity.ts'
import { Rejection } from '../rejection/rejection.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type EntityChange, writtenResponse } from '../transaction/apply-change-set.ts'

/** Delete Entity: `DELETE` with `If-Match`, which is required. */
export function deleteEntity(request: ServiceRequest): EntityChange {
  const ifMatch = conditionOf(request)
  if (ifMatch === undefined) {
    throw new Rejection('InvalidInput', {
      text: 'A delete needs an If-Match header: an ETag, or * for any version.',
    })
  }
  return {
    key: keyOf(request),
    apply(current) {
      matchETag(current, ifMatch)
      return undefined
    },
    respond: writtenResponse,
  }
}
