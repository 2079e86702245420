import type { ServiceCall } from '../call/service-call.ts'
import { checkEntity } from '../entity/check-entity.ts'
import { conditionOf, keyOf, propertiesOf, sortedByName } from '../entity/given-write.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { WrittenEntity } from '../entity/written-entity.ts'
import type { EntityChange } from './entity-change.ts'
import { writtenAnswer } from './written-answer.ts'

/**
 * A write after which the row holds what was sent and nothing else.
 *
 * @param call - the write
 * @param check - refuses the row as it is
 */
export function replacement(
  call: ServiceCall,
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
    answer: writtenAnswer,
  }
}
