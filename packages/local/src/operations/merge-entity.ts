import type { ServiceCall } from '../call/service-call.ts'
import { matchETag } from '../entity/match-etag.ts'
import type { EntityChange } from '../transaction/entity-change.ts'
import { merge } from '../transaction/merge.ts'

/** Merge Entity: `MERGE` or `PATCH` with `If-Match`. The row must exist and be the version named. */
export function mergeEntity(call: ServiceCall): EntityChange {
  return merge(call, matchETag)
}
