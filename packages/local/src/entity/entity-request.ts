import type { EntityKey } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'
import { checkContentType } from '../request/request-checks.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { decodeProperties } from './decode-properties.ts'
import { checkETag } from './etag.ts'
import { type BodyMembers, readMembers } from './read-members.ts'
import type { StoredProperties } from './stored-entity.ts'

/** The key in the URL of a write to one entity. */
export function keyOf(call: ServiceRequest): EntityKey {
  if (call.resource.kind !== 'entity') throw new Rejection('InvalidUri')
  return call.resource.key
}

/** The condition of a write to one entity; `undefined` when it has none. */
export function conditionOf(call: ServiceRequest): string | undefined {
  const ifMatch = call.headers['if-match']
  if (call.headers['if-none-match'] !== undefined) {
    throw new Rejection('InvalidInput', { text: 'A write takes no If-None-Match.' })
  }
  if (ifMatch !== undefined) checkETag(ifMatch)
  return ifMatch
}

/** The properties in the body of a write whose key stands in the URL. */
export function propertiesOf(call: ServiceRequest): StoredProperties {
  checkContentType(call)
  const members = readMembers(call.body)
  checkSameKey(readGivenKey(members), keyOf(call))
  return decodeProperties(members)
}

/** The service shows the properties of every row that was not merely inserted in this order. */
export function sortedByName(properties: StoredProperties): StoredProperties {
  return new Map([...properties].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The key as a request body gives it. */
export interface GivenKey {
  /** Absent when the body does not say: the URL does. */
  readonly partitionKey: string | undefined
  /** Absent when the body does not say: the URL does. */
  readonly rowKey: string | undefined
}

/** Reads the key in a request body. */
export function readGivenKey(members: BodyMembers): GivenKey {
  return { partitionKey: keyIn(members, 'PartitionKey'), rowKey: keyIn(members, 'RowKey') }
}

/** The key in the body of an insert, which has no other place for it. */
export function requireKey({ partitionKey, rowKey }: GivenKey): EntityKey {
  if (partitionKey === undefined || rowKey === undefined) {
    throw new Rejection('PropertiesNeedValue')
  }
  return { partitionKey, rowKey }
}

/** Refuses a body that names another entity than the URL does. */
export function checkSameKey(given: GivenKey, key: EntityKey): void {
  if (
    (given.partitionKey ?? key.partitionKey) !== key.partitionKey ||
    (given.rowKey ?? key.rowKey) !== key.rowKey
  ) {
    throw new Rejection('InvalidInput', {
      text: 'The PartitionKey and RowKey of the body are not those of the URL.',
    })
  }
}

const TYPE_OF = { PartitionKey: 'PartitionKey@odata.type', RowKey: 'RowKey@odata.type' } as const
const STRING = 'Edm.String'

function keyIn(members: BodyMembers, name: 'PartitionKey' | 'RowKey'): string | undefined {
  const value = members[name]
  if (value === undefined || value === null) return undefined
  const isString = typeof value === 'string' && (members[TYPE_OF[name]] ?? STRING) === STRING
  if (!isString) throw new Rejection('PrimaryKeyPropertyIsInvalidType')
  return value
}
