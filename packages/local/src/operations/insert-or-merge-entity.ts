import type { ServiceCall } from '../call/service-call.ts'
import type { EntityChange } from '../transaction/entity-change.ts'
import { merge } from '../transaction/merge.ts'

/** Insert Or Merge Entity: `MERGE` or `PATCH` without `If-Match`. Whatever is there will do. */
export function insertOrMergeEntity(call: ServiceCall): EntityChange {
  return merge(call, () => {})
}
