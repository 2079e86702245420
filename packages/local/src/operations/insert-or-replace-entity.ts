import type { ServiceCall } from '../call/service-call.ts'
import type { EntityChange } from '../transaction/entity-change.ts'
import { replacement } from '../transaction/replacement.ts'

/** Insert Or Replace Entity: `PUT` without `If-Match`. Whatever is there, or nothing, will do. */
export function insertOrReplaceEntity(call: ServiceCall): EntityChange {
  return replacement(call, () => {})
}
