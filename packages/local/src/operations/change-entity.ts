import { checkRowAllowed } from '../access/permissions.ts'
import { checkEntity } from '../entity/check-entity.ts'
import { decodeProperties, readMembers } from '../entity/decode-properties.ts'
import { encodeEntity } from '../entity/encode-entity.ts'
import { printEntityPath } from '../entity/encode-table.ts'
import {
  conditionOf,
  keyOf,
  propertiesOf,
  readGivenKey,
  requireKey,
  sortedByName,
} from '../entity/entity-request.ts'
import { type PrintedProperty, printEntityText } from '../entity/entity-text.ts'
import { matchETag, StoredEntity } from '../entity/stored-entity.ts'
import { checkKey } from '../keys/check-key.ts'
import { Rejection } from '../rejection/rejection.ts'
import { metadataLevel } from '../request/content-negotiation.ts'
import type { OperationName } from '../request/operation-name.ts'
import { checkContentType } from '../request/read-request.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { createdResponse, type ServiceResponse } from '../response/service-response.ts'
import type { Service } from '../service/service.ts'
import {
  type ChangeOperation,
  type EntityChange,
  writtenResponse,
} from '../transaction/apply-change-set.ts'
import { requestedTable } from './requested-table.ts'

/** Applies a single write: a change set with one change. */
export async function changeEntity(
  service: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const operation = chooseChange(request)
  if (operation === undefined) throw new Rejection('MethodNotAllowed')
  const table = await requestedTable(service, request)
  const change = operation(request)
  checkRowAllowed(request.grant, change.key)
  const [written] = await table.change([change.key], ([current]) => [
    change.apply(current, () => service.clock.stamp()),
  ])
  const response = change.respond(written, table.name)
  const isTyped = request.flavour === 'cosmos' && TYPED.has(request.method)
  return isTyped ? { ...response, headers: { ...response.headers, ...JSON_TYPE } } : response
}

/** Cosmos DB gives the response to these a content type, although it is empty, but not inside a batch. */
const TYPED: ReadonlySet<string> = new Set(['MERGE', 'PUT'])
const JSON_TYPE = { 'content-type': 'application/json' }

const CHANGES: { readonly [Name in OperationName]?: ChangeOperation } = {
  insertEntity,
  updateEntity: replaceEntity,
  insertOrReplaceEntity: replaceEntity,
  mergeEntity,
  insertOrMergeEntity: mergeEntity,
  deleteEntity,
}

/** Chooses the write of one entity; `undefined` for another operation. */
export function chooseChange({ operation }: ServiceRequest): ChangeOperation | undefined {
  return operation && CHANGES[operation]
}

/** Insert Entity: `POST /table`. */
function insertEntity(request: ServiceRequest): EntityChange {
  const level = metadataLevel(request)
  checkContentType(request)
  const members = readMembers(request.body)
  const key = requireKey(readGivenKey(members))
  checkKey(key, request.flavour)
  const properties = decodeProperties(members, request.flavour)
  checkEntity(key, properties, request.flavour)
  return {
    key,
    apply(current, stamp) {
      if (current !== undefined) throw new Rejection('EntityAlreadyExists')
      return new StoredEntity(printEntityText(key, stamp(), properties))
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

/**
 * Update Entity: `PUT` with `If-Match`. The row must exist in that version.
 * Insert Or Replace Entity: `PUT` without `If-Match`. Accepts any state of the row.
 */
export function replaceEntity(request: ServiceRequest): EntityChange {
  const key = keyOf(request)
  const ifMatch = conditionOf(request)
  const properties = sortedByName(propertiesOf(request))
  checkEntity(key, properties, request.flavour)
  return {
    key,
    apply(current, stamp) {
      if (ifMatch !== undefined) matchETag(current, ifMatch)
      return new StoredEntity(printEntityText(key, stamp(), properties))
    },
    respond: writtenResponse,
  }
}

/**
 * Merge Entity: `MERGE` or `PATCH` with `If-Match`. The row must exist in that version.
 * Insert Or Merge Entity: `MERGE` or `PATCH` without `If-Match`. Accepts any state of the row.
 */
export function mergeEntity(request: ServiceRequest): EntityChange {
  const key = keyOf(request)
  const ifMatch = conditionOf(request)
  const given = propertiesOf(request)
  checkEntity(key, given, request.flavour)
  return {
    key,
    apply(current, stamp) {
      if (ifMatch !== undefined) matchETag(current, ifMatch)
      const properties = sortedByName(merged(current?.properties ?? [], given))
      checkEntity(key, properties, request.flavour)
      return new StoredEntity(printEntityText(key, stamp(), properties))
    },
    respond: writtenResponse,
  }
}

/** Adds properties to others. Of two with one name, the added one stays. */
function merged(
  properties: readonly PrintedProperty[],
  added: readonly PrintedProperty[],
): Iterable<PrintedProperty> {
  const byName = new Map<string, PrintedProperty>()
  for (const property of properties) byName.set(property.name, property)
  for (const property of added) byName.set(property.name, property)
  return byName.values()
}

/** Delete Entity: `DELETE` with `If-Match`, which is required. */
function deleteEntity(request: ServiceRequest): EntityChange {
  const ifMatch = conditionOf(request)
  if (ifMatch === undefined) {
    throw new Rejection('InvalidInput', {
      text: 'A delete needs an If-Match header: an ETag, or * for any version.',
    })
  }
  return {
    key: keyOf(request),
    apply(current) {
      matchETag(current, ifMatch)
      return undefined
    },
    respond: writtenResponse,
  }
}
