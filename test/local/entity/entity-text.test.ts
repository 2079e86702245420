import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  membersIn,
  printEntityText,
  type StoredProperty,
} from '../../../packages/local/src/entity/entity-text.ts'
import { decodedProperties, printedProperties } from '../../support/stored-row.ts'

const KEY = { partitionKey: 'Zoë', rowKey: '"' }
const properties = new Map<string, StoredProperty>([
  ['größe', { type: 'Double', value: 2 }],
  ['none', { type: 'Double', value: Number.NaN }],
  ['__proto__', { type: 'Int64', value: 5n }],
  ['text', { type: 'String', value: '"age":4,' }],
  ['age', { type: 'Int32', value: 41 }],
])
const text = printEntityText(KEY, new DateTimeValue(0), printedProperties(properties))

describe('printEntityText', () => {
  it('R-08: is ASCII, and annotates the types that JSON does not show', () => {
    expect(text).toBe(
      '"PartitionKey":"Zo\\u00eb","RowKey":"\\"","Timestamp":"1970-01-01T00:00:00Z",' +
        '"gr\\u00f6\\u00dfe":2.0,"none@odata.type":"Edm.Double","none":"NaN",' +
        '"__proto__@odata.type":"Edm.Int64","__proto__":"5","text":"\\"age\\":4,","age":41',
    )
  })
})

describe('membersIn', () => {
  it('returns the system properties, and then the custom ones in order', () => {
    const members = membersIn(text)
    const system = members.slice(0, 3).map(({ name }) => name)
    expect(system).toEqual(['PartitionKey', 'RowKey', 'Timestamp'])
    expect([...decodedProperties(members.slice(3))]).toEqual([...properties])
  })

  it('returns only the system properties without custom ones', () => {
    expect(membersIn(printEntityText(KEY, new DateTimeValue(0), []))).toHaveLength(3)
  })
})
