import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it, vi } from 'vitest'
import { WrittenEntity } from '../../../packages/local/src/entity/written-entity.ts'

const timestamp = new DateTimeValue(0, 5)
const row = new WrittenEntity(
  { partitionKey: 'p', rowKey: 'r' },
  timestamp,
  new Map([['age', { type: 'Int32', value: 41 }]]),
)

describe('WrittenEntity', () => {
  it('R-05: finds system properties and custom ones by name', () => {
    expect(row.property('PartitionKey')).toEqual({ type: 'String', value: 'p' })
    expect(row.property('RowKey')).toEqual({ type: 'String', value: 'r' })
    expect(row.property('Timestamp')).toEqual({ type: 'DateTime', value: timestamp })
    expect(row.property('age')).toEqual({ type: 'Int32', value: 41 })
    expect(row.property('constructor')).toBeUndefined()
  })

  it('has the text of responses', () => {
    expect(row.text).toBe(
      '"PartitionKey":"p","RowKey":"r","Timestamp":"1970-01-01T00:00:00.0000005Z","age":41',
    )
  })

  it('prints a short text once, and a long one each time', () => {
    const long = { type: 'String', value: 'x'.repeat(32_768) } as const
    const timesMade = (...names: string[]) => {
      const properties = new Map(names.map((name) => [name, long]))
      const reads = vi.spyOn(properties, Symbol.iterator)
      const each = new WrittenEntity({ partitionKey: 'p', rowKey: 'r' }, timestamp, properties)
      expect(each.text).toBe(each.text)
      return reads.mock.calls.length
    }
    expect([timesMade('a'), timesMade('a', 'b', 'c')]).toEqual([1, 2])
  })
})
