import { createdAnswer } from '../answer/created-answer.ts'
import { checkContentType } from '../call/check-content-type.ts'
import { checkKey } from '../call/check-key.ts'
import { metadataLevel } from '../call/metadata-level.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { checkEntity } from '../entity/check-entity.ts'
import { decodeProperties } from '../entity/decode-properties.ts'
import { encodeEntity } from '../entity/encode-entity.ts'
import { readGivenKey, requireKey } from '../entity/given-key.ts'
import { readMembers } from '../entity/read-members.ts'
import { printEntityPath } from '../entity/resource-url.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { WrittenEntity } from '../entity/written-entity.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import type { EntityChange } from '../transaction/entity-change.ts'

/** Insert Entity: `POST /table`. */
export function insertEntity(call: ServiceCall): EntityChange {
  const level = metadataLevel(call)
  checkContentType(call)
  const members = readMembers(call.body)
  const key = requireKey(readGivenKey(members))
  checkKey(key)
  const properties = decodeProperties(members)
  checkEntity(key, properties)
  return {
    key,
    apply(current, stamp) {
      if (current !== undefined) throw new ServiceFault('EntityAlreadyExists')
      return new WrittenEntity(key, stamp(), properties)
    },
    answer(written, table) {
      const row = written as StoredEntity
      const { base, account } = call
      return createdAnswer(call, level, {
        path: printEntityPath(table, key),
        etag: row.etag,
        body: () => encodeEntity(row, { level, base, account, table }),
      })
    },
  }
}
