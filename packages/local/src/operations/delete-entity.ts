import type { ServiceCall } from '../call/service-call.ts'
import { conditionOf, keyOf } from '../entity/given-write.ts'
import { matchETag } from '../entity/match-etag.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { EntityChange } from '../transaction/entity-change.ts'
import { writtenAnswer } from '../transaction/written-answer.ts'

/** Delete Entity: `DELETE` with `If-Match`, which it cannot do without. */
export function deleteEntity(call: ServiceCall): EntityChange {
  const ifMatch = conditionOf(call)
  if (ifMatch === undefined) {
    throw new ServiceFault('InvalidInput', {
      text: 'A delete needs an If-Match header: an ETag, or * for any version.',
    })
  }
  return {
    key: keyOf(call),
    apply(current) {
      matchETag(current, ifMatch)
      return undefined
    },
    answer: writtenAnswer,
  }
}
