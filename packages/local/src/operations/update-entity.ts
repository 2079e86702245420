import type { ServiceCall } from '../call/service-call.ts'
import { matchETag } from '../entity/match-etag.ts'
import type { EntityChange } from '../transaction/entity-change.ts'
import { replacement } from '../transaction/replacement.ts'

/** Update Entity: `PUT` with `If-Match`. The row must exist and be the version named. */
export function updateEntity(call: ServiceCall): EntityChange {
  return replacement(call, matchETag)
}
