import { decodeProperties, readMembers } from '../entity/decode-properties.ts'
import { encodeEntity } from '../entity/encode-entity.ts'
import { printEntityPath } from '../entity/encode-table.ts'
import { readGivenKey, requireKey } from '../entity/entity-request.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'
import { checkEntity, WrittenEntity } from '../entity/written-entity.ts'
import { checkKey } from '../keys/check-key.ts'
import { Rejection } from '../rejection/rejection.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import { checkContentType } from '../request/request-checks.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { createdResponse } from '../response/service-response.ts'
import type { EntityChange } from '../transaction/apply-change-set.ts'

/** Insert Entity: `POST /table`. */
export function insertEntity(request: ServiceRequest): EntityChange {
  const level = metadataLevel(request)
  checkContentType(request)
  const members = readMembers(request.body)
  const key = requireKey(readGivenKey(members))
  checkKey(key, request.flavour)
  const properties = decodeProperties(members)
  checkEntity(key, properties, request.flavour)
  return {
    key,
    apply(current, stamp) {
      if (current !== undefined) throw new Rejection('EntityAlreadyExists')
      return new WrittenEntity(key, stamp(), properties)
    },
    respond(written, table) {
      const row = written as StoredEntity
      const { base, account, flavour } = request
      return createdResponse(request, level, {
        path: printEntityPath(table, key),
        etag: row.etag,
        body: () => encodeEntity(row, { level, base, account, table, flavour }),
      })
    },
  }
}
