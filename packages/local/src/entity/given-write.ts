import type { EntityKey } from '@rowkey/odata'
import { checkContentType } from '../call/check-content-type.ts'
import type { ServiceCall } from '../call/service-call.ts'
import { ServiceFault } from '../fault/service-fault.ts'
import { decodeProperties } from './decode-properties.ts'
import { checkETag } from './etag.ts'
import { checkSameKey, readGivenKey } from './given-key.ts'
import { readMembers } from './read-members.ts'
import type { StoredProperties } from './stored-entity.ts'

/** The key in the URL of a write to one entity. */
export function keyOf(call: ServiceCall): EntityKey {
  if (call.resource.kind !== 'entity') throw new ServiceFault('InvalidUri')
  return call.resource.key
}

/** The condition of a write to one entity; `undefined` when it has none. */
export function conditionOf(call: ServiceCall): string | undefined {
  const ifMatch = call.headers['if-match']
  if (call.headers['if-none-match'] !== undefined) {
    throw new ServiceFault('InvalidInput', { text: 'A write takes no If-None-Match.' })
  }
  if (ifMatch !== undefined) checkETag(ifMatch)
  return ifMatch
}

/** The properties in the body of a write whose key stands in the URL. */
export function propertiesOf(call: ServiceCall): StoredProperties {
  checkContentType(call)
  const members = readMembers(call.body)
  checkSameKey(readGivenKey(members), keyOf(call))
  return decodeProperties(members)
}

/** The service shows the properties of every row that was not merely inserted in this order. */
export function sortedByName(properties: StoredProperties): StoredProperties {
  return new Map([...properties].sort(([a], [b]) => (a < b ? -1 : 1)))
}
