import { conditionOf, keyOf, propertiesOf, sortedByName } from '../entity/entity-request.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { matchETag } from '../entity/stored-entity.ts'
import { checkEntity, WrittenEntity } from '../entity/written-entity.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type EntityChange, writtenResponse } from '../transaction/apply-change-set.ts'

/** Merge Entity: `MERGE` or `PATCH` with `If-Match`. The row must exist in that version. */
export function mergeEntity(request: ServiceRequest): EntityChange {
  return merge(request, matchETag)
}

/** Insert Or Merge Entity: `MERGE` or `PATCH` without `If-Match`. Accepts any state of the row. */
export function insertOrMergeEntity(request: ServiceRequest): EntityChange {
  return merge(request, () => {})
}

/**
 * Makes a write that adds the sent properties to those of the row.
 *
 * @param request - the write
 * @param check - rejects the row in its current state
 */
export function merge(
  request: ServiceRequest,
  check: (current: StoredEntity | undefined, ifMatch: string) => void,
): EntityChange {
  const key = keyOf(request)
  const ifMatch = conditionOf(request) ?? '*'
  const given = propertiesOf(request)
  checkEntity(key, given, request.flavour)
  return {
    key,
    apply(current, stamp) {
      check(current, ifMatch)
      const properties = sortedByName(new Map([...(current?.properties ?? []), ...given]))
      checkEntity(key, properties, request.flavour)
      return new WrittenEntity(key, stamp(), properties)
    },
    respond: writtenResponse,
  }
}
