import { checkEntity } from '../entity/check-entity.ts'
import { conditionOf, keyOf, propertiesOf, sortedByName } from '../entity/entity-request.ts'
import { matchETag } from '../entity/etag.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { WrittenEntity } from '../entity/written-entity.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type EntityChange, writtenResponse } from '../transaction/entity-change.ts'

/** Update Entity: `PUT` with `If-Match`. The row must exist and be the version named. */
export function updateEntity(call: ServiceRequest): EntityChange {
  return replacement(call, matchETag)
}

/** Insert Or Replace Entity: `PUT` without `If-Match`. Whatever is there, or nothing, will do. */
export function insertOrReplaceEntity(call: ServiceRequest): EntityChange {
  return replacement(call, () => {})
}

/**
 * A write after which the row holds what was sent and nothing else.
 *
 * @param call - the write
 * @param check - refuses the row as it is
 */
export function replacement(
  call: ServiceRequest,
  check: (current: StoredEntity | undefined, ifMatch: string) => void,
): EntityChange {
  const key = keyOf(call)
  const ifMatch = conditionOf(call) ?? '*'
  const properties = sortedByName(propertiesOf(call))
  checkEntity(key, properties)
  return {
    key,
    apply(current, stamp) {
      check(current, ifMatch)
      return new WrittenEntity(key, stamp(), properties)
    },
    answer: writtenResponse,
  }
}
