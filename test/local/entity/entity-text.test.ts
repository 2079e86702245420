import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { parseProperties, printEntityText } from '../../../packages/local/src/entity/entity-text.ts'
import type { StoredProperty } from '../../../packages/local/src/entity/stored-entity.ts'

const KEY = { partitionKey: 'Zoë', rowKey: '"' }
const properties = new Map<string, StoredProperty>([
  ['größe', { type: 'Double', value: 2 }],
  ['none', { type: 'Double', value: Number.NaN }],
  ['__proto__', { type: 'Int64', value: 5n }],
  ['text', { type: 'String', value: '"age":4,' }],
  ['age', { type: 'Int32', value: 41 }],
])
const text = printEntityText(KEY, new DateTimeValue(0), properties)

describe('printEntityText', () => {
  it('R-08: is ASCII, and annotates the types that JSON does not show', () => {
    expect(text).toBe(
      '"PartitionKey":"Zo\\u00eb","RowKey":"\\"","Timestamp":"1970-01-01T00:00:00Z",' +
        '"gr\\u00f6\\u00dfe":2.0,"none@odata.type":"Edm.Double","none":"NaN",' +
        '"__proto__@odata.type":"Edm.Int64","__proto__":"5","text":"\\"age\\":4,","age":41',
    )
  })
})

describe('parseProperties', () => {
  it('returns the custom properties in order', () => {
    expect([...parseProperties(text)]).toEqual([...properties])
  })

  it('returns an empty map without custom properties', () => {
    expect(parseProperties(printEntityText(KEY, new DateTimeValue(0), new Map())).size).toBe(0)
  })
})
