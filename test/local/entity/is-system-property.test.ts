import { describe, expect, it } from 'vitest'
import { isSystemProperty } from '../../../packages/local/src/entity/entity-text.ts'

describe('isSystemProperty', () => {
  it.each(['PartitionKey', 'RowKey', 'Timestamp'])('recognizes %s', (name) => {
    expect(isSystemProperty(name)).toBe(true)
  })

  it.each(['partitionKey', 'rowkey', 'ETag', 'timestamp', 'constructor', ''])(
    'does not recognize %j',
    (name) => {
      expect(isSystemProperty(name)).toBe(false)
    },
  )
})
