import { checkEntity } from '../entity/check-entity.ts'
import { conditionOf, keyOf, propertiesOf, sortedByName } from '../entity/entity-request.ts'
import { matchETag } from '../entity/etag.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { WrittenEntity } from '../entity/written-entity.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type EntityChange, writtenResponse } from '../transaction/entity-change.ts'

/** Merge Entity: `MERGE` or `PATCH` with `If-Match`. The row must exist and be the version named. */
export function mergeEntity(call: ServiceRequest): EntityChange {
  return merge(call, matchETag)
}

/** Insert Or Merge Entity: `MERGE` or `PATCH` without `If-Match`. Whatever is there will do. */
export function insertOrMergeEntity(call: ServiceRequest): EntityChange {
  return merge(call, () => {})
}

/**
 * A write after which the row holds what was sent over what it held before.
 *
 * @param call - the write
 * @param check - refuses the row as it is
 */
export function merge(
  call: ServiceRequest,
  check: (current: StoredEntity | undefined, ifMatch: string) => void,
): EntityChange {
  const key = keyOf(call)
  const ifMatch = conditionOf(call) ?? '*'
  const given = propertiesOf(call)
  checkEntity(key, given)
  return {
    key,
    apply(current, stamp) {
      check(current, ifMatch)
      const properties = sortedByName(new Map([...(current?.properties ?? []), ...given]))
      checkEntity(key, properties)
      return new WrittenEntity(key, stamp(), properties)
    },
    answer: writtenResponse,
  }
}
