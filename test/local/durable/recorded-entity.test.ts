import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { RecordedEntity } from '../../../packages/local/src/durable/durable-table.ts'

const TEXT =
  '"PartitionKey":"\\"Timestamp\\":\\"","RowKey":"r","Timestamp":"1970-01-01T00:00:00.0000005Z","age":41'
const row = new RecordedEntity(TEXT)

describe('RecordedEntity', () => {
  it('returns the text it was made from', () => {
    expect(row.text).toBe(TEXT)
  })

  it('R-12: reads key, Timestamp and ETag from the text', () => {
    expect(row.partitionKey).toBe('"Timestamp":"')
    expect(row.rowKey).toBe('r')
    expect(row.timestamp).toEqual(new DateTimeValue(0, 5))
    expect(row.etag).toBe('W/"datetime\'1970-01-01T00%3A00%3A00.0000005Z\'"')
  })

  it('R-05: finds system properties and custom ones by name', () => {
    expect(row.property('PartitionKey')).toEqual({ type: 'String', value: '"Timestamp":"' })
    expect(row.property('RowKey')).toEqual({ type: 'String', value: 'r' })
    expect(row.property('Timestamp')).toEqual({ type: 'DateTime', value: row.timestamp })
    expect(row.property('age')).toEqual({ type: 'Int32', value: 41 })
    expect(row.property('constructor')).toBeUndefined()
  })

  it('decodes its properties once', () => {
    expect([...row.properties]).toEqual([['age', { type: 'Int32', value: 41 }]])
    expect(row.properties).toBe(row.properties)
  })
})
