import type { StoredEntity, StoredProperty } from './stored-entity.ts'

/** Whether a name is that of a property which every entity has. */
export function isSystemProperty(name: string): boolean {
  return name === 'PartitionKey' || name === 'RowKey' || name === 'Timestamp'
}

/** A property that every entity has, by its name; `undefined` for any other name. */
export function systemProperty(
  row: Pick<StoredEntity, 'partitionKey' | 'rowKey' | 'timestamp'>,
  name: string,
): StoredProperty | undefined {
  switch (name) {
    case 'PartitionKey':
      return { type: 'String', value: row.partitionKey }
    case 'RowKey':
      return { type: 'String', value: row.rowKey }
    case 'Timestamp':
      return { type: 'DateTime', value: row.timestamp }
    default:
      return undefined
  }
}
