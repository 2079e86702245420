import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  isSystemProperty,
  systemProperty,
} from '../../../packages/local/src/entity/stored-entity.ts'

const row = { partitionKey: 'p', rowKey: 'r', timestamp: new DateTimeValue(0, 5) }

describe('systemProperty', () => {
  it('finds system properties by the names that filters use', () => {
    expect(systemProperty(row, 'PartitionKey')).toEqual({ type: 'String', value: 'p' })
    expect(systemProperty(row, 'RowKey')).toEqual({ type: 'String', value: 'r' })
    expect(systemProperty(row, 'Timestamp')).toEqual({ type: 'DateTime', value: row.timestamp })
  })

  it.each(['partitionKey', 'rowkey', 'ETag', 'timestamp', 'constructor', ''])(
    'finds nothing by the name %j',
    (name) => {
      expect(systemProperty(row, name)).toBeUndefined()
      expect(isSystemProperty(name)).toBe(false)
    },
  )
})

describe('isSystemProperty', () => {
  it.each(['PartitionKey', 'RowKey', 'Timestamp'])('recognizes %s', (name) => {
    expect(isSystemProperty(name)).toBe(true)
  })
})
