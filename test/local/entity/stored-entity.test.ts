import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { StoredEntity } from '../../../packages/local/src/entity/stored-entity.ts'

const timestamp = new DateTimeValue(0, 5)
const row = new StoredEntity(
  { partitionKey: 'p', rowKey: 'r' },
  timestamp,
  new Map([['age', { type: 'Int32', value: 41 }]]),
)

describe('StoredEntity', () => {
  it('R-05: finds system properties by name as well as its own', () => {
    expect(row.property('PartitionKey')).toEqual({ type: 'String', value: 'p' })
    expect(row.property('RowKey')).toEqual({ type: 'String', value: 'r' })
    expect(row.property('Timestamp')).toEqual({ type: 'DateTime', value: timestamp })
    expect(row.property('age')).toEqual({ type: 'Int32', value: 41 })
    expect(row.property('constructor')).toBeUndefined()
  })
})
