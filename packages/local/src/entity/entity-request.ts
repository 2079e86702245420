import type { EntityKey } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'
import { checkContentType } from '../request/read-request.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { type BodyMembers, decodeProperties, readMembers } from './decode-properties.ts'
import type { PrintedProperty } from './entity-text.ts'
import { checkETag } from './stored-entity.ts'

/**
 * Returns the key in the URL of a write to one entity.
 *
 * @throws Rejection InvalidUri
 */
export function keyOf(request: ServiceRequest): EntityKey {
  if (request.resource.kind !== 'entity') throw new Rejection('InvalidUri')
  return request.resource.key
}

/**
 * Returns the condition of a write to one entity; `undefined` without one.
 *
 * @throws Rejection InvalidInput
 */
export function conditionOf(request: ServiceRequest): string | undefined {
  const ifMatch = request.headers['if-match']
  if (request.headers['if-none-match'] !== undefined) {
    throw new Rejection('InvalidInput', { text: 'A write takes no If-None-Match.' })
  }
  if (ifMatch !== undefined) checkETag(ifMatch)
  return ifMatch
}

/** Reads the properties in the body of a write whose key is in the URL. */
export function propertiesOf(request: ServiceRequest): PrintedProperty[] {
  checkContentType(request)
  const { flavour } = request
  const members = readMembers(request.body)
  // Table storage ignores a key that is not a String; Cosmos DB rejects it.
  const given = flavour === 'cosmos' ? readGivenKey(members) : textsOfKey(members)
  checkSameKey(given, keyOf(request))
  return decodeProperties(members, flavour)
}

/**
 * Sorts properties by name. The service does so with every row that was updated after its insert.
 */
export function sortedByName(properties: Iterable<PrintedProperty>): PrintedProperty[] {
  return [...properties].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The key in a request body. */
interface GivenKey {
  /** Absent when only the URL has it. */
  readonly partitionKey: string | undefined
  /** Absent when only the URL has it. */
  readonly rowKey: string | undefined
}

/**
 * Reads the key in a request body.
 *
 * @throws Rejection InvalidInput for a key that is not a String
 */
export function readGivenKey(members: BodyMembers): GivenKey {
  return { partitionKey: keyIn(members, 'PartitionKey'), rowKey: keyIn(members, 'RowKey') }
}

/**
 * Returns the key in the body of an insert, whose URL has none.
 *
 * @throws Rejection PropertiesNeedValue
 */
export function requireKey({ partitionKey, rowKey }: GivenKey): EntityKey {
  if (partitionKey === undefined || rowKey === undefined) {
    throw new Rejection('PropertiesNeedValue')
  }
  return { partitionKey, rowKey }
}

/**
 * Rejects a body whose key differs from that of the URL.
 *
 * @throws Rejection InvalidInput
 */
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
  const text = textIn(members, name)
  if (text === undefined) throw new Rejection('InvalidInput')
  return text
}

function textsOfKey(members: BodyMembers): GivenKey {
  return { partitionKey: textIn(members, 'PartitionKey'), rowKey: textIn(members, 'RowKey') }
}

/** Returns a key that is a String; `undefined` for any other. */
function textIn(members: BodyMembers, name: 'PartitionKey' | 'RowKey'): string | undefined {
  const value = members[name]
  const isString = (members[TYPE_OF[name]] ?? STRING) === STRING
  return isString && typeof value === 'string' ? value : undefined
}
