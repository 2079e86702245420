import { conditionOf, keyOf, propertiesOf, sortedByName } from '../entity/entity-request.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { matchETag } from '../entity/stored-entity.ts'
import { checkEntity, WrittenEntity } from '../entity/written-entity.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type EntityChange, writtenResponse } from '../transaction/apply-change-set.ts'

/** Update Entity: `PUT` with `If-Match`. The row must exist in that version. */
export function updateEntity(request: ServiceRequest): EntityChange {
  return replacement(request, matchETag)
}

/** Insert Or Replace Entity: `PUT` without `If-Match`. Accepts any state of the row. */
export function insertOrReplaceEntity(request: ServiceRequest): EntityChange {
  return replacement(request, () => {})
}

/**
 * Makes a write that replaces the properties of the row.
 *
 * @param request - the write
 * @param check - rejects the row in its current state
 */
export function replacement(
  request: ServiceRequest,
  check: (current: StoredEntity | undefined, ifMatch: string) => void,
): EntityChange {
  const key = keyOf(request)
  const ifMatch = conditionOf(request) ?? '*'
  const properties = sortedByName(propertiesOf(request))
  checkEntity(key, properties, request.flavour)
  return {
    key,
    apply(current, stamp) {
      check(current, ifMatch)
      return new WrittenEntity(key, stamp(), properties)
    },
    respond: writtenResponse,
  }
}
