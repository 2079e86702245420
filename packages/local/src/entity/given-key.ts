import type { EntityKey } from '@rowkey/odata'
import { ServiceFault } from '../fault/service-fault.ts'
import type { BodyMembers } from './read-members.ts'

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
    throw new ServiceFault('PropertiesNeedValue')
  }
  return { partitionKey, rowKey }
}

/** Refuses a body that names another entity than the URL does. */
export function checkSameKey(given: GivenKey, key: EntityKey): void {
  if (
    (given.partitionKey ?? key.partitionKey) !== key.partitionKey ||
    (given.rowKey ?? key.rowKey) !== key.rowKey
  ) {
    throw new ServiceFault('InvalidInput', {
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
  if (!isString) throw new ServiceFault('PrimaryKeyPropertyIsInvalidType')
  return value
}
