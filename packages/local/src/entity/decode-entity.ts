import type { EntityKey } from '@rowkey/odata'
import { ServiceFault } from '../fault/service-fault.ts'
import { checkMemberName } from './check-member-name.ts'
import { decodeProperty } from './decode-property.ts'
import { type BodyMembers, readMembers } from './read-members.ts'
import type { StoredProperties, StoredProperty } from './stored-entity.ts'

/** An entity as a request body gives it. */
export interface GivenEntity {
  /** Absent when the body does not say: the URL does. */
  readonly partitionKey: string | undefined
  readonly rowKey: string | undefined
  /** In the order given; without nulls, which are never stored. */
  readonly properties: StoredProperties
}

const ANNOTATION = '@odata.type'
const STRING = 'Edm.String'

/** Reads the entity in a request body, and refuses what no entity may hold. */
export function decodeEntity(body: string): GivenEntity {
  const members = readMembers(body)
  const properties = new Map<string, StoredProperty>()
  const types = annotationsIn(members)
  for (const name of Object.keys(members)) {
    if (!isProperty(name)) continue
    checkMemberName(name)
    const value = members[name]
    if (value === null) continue
    properties.set(name, decodeProperty(name, value, types?.get(name)))
  }
  return {
    partitionKey: keyIn(members, 'PartitionKey'),
    rowKey: keyIn(members, 'RowKey'),
    properties,
  }
}

/** The key in the body of an insert, which has no other place for it. */
export function requireKey(given: GivenEntity): EntityKey {
  const { partitionKey, rowKey } = given
  if (partitionKey === undefined || rowKey === undefined) {
    throw new ServiceFault('PropertiesNeedValue')
  }
  return { partitionKey, rowKey }
}

/** Refuses a body that names another entity than the URL does. */
export function checkSameKey(given: GivenEntity, key: EntityKey): void {
  if (
    (given.partitionKey ?? key.partitionKey) !== key.partitionKey ||
    (given.rowKey ?? key.rowKey) !== key.rowKey
  ) {
    throw new ServiceFault('InvalidInput', {
      text: 'The PartitionKey and RowKey of the body are not those of the URL.',
    })
  }
}

/** Not control information, not a key, and not the Timestamp, which only the service sets. */
function isProperty(name: string): boolean {
  switch (name) {
    case 'PartitionKey':
    case 'RowKey':
    case 'Timestamp':
      return false
    default:
      return !name.endsWith(ANNOTATION) && !name.startsWith('odata.')
  }
}

/** What the annotations say, by the names of their properties; `undefined` when there are none. */
function annotationsIn(members: BodyMembers): ReadonlyMap<string, unknown> | undefined {
  let types: Map<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    if (!name.endsWith(ANNOTATION)) continue
    types ??= new Map()
    types.set(name.slice(0, -ANNOTATION.length), members[name])
  }
  return types
}

function keyIn(members: BodyMembers, name: 'PartitionKey' | 'RowKey'): string | undefined {
  const value = members[name]
  if (value === undefined || value === null) return undefined
  const isString = typeof value === 'string' && (members[name + ANNOTATION] ?? STRING) === STRING
  if (!isString) throw new ServiceFault('PrimaryKeyPropertyIsInvalidType')
  return value
}
