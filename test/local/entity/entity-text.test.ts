import { DateTimeValue } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  endOfString,
  findTextMember,
  isSystemProperty,
  membersIn,
  printEntityText,
  propertyIn,
  readTextMember,
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

const TEXT =
  '"PartitionKey":"a\\\\","RowKey":":,","big@odata.type":"Edm.Int64","big":"5","gr\\u00f6\\u00dfe":2.0,"truth":true'
const found = (name: string) => {
  const member = findTextMember(TEXT, name)
  return member && propertyIn(member)
}

describe('readTextMember', () => {
  it('reads one member after another', () => {
    const names: string[] = []
    for (let start = 0; start < TEXT.length; ) {
      const member = readTextMember(TEXT, start)
      names.push(member.name)
      start = member.end + 1
    }
    expect(names).toEqual(['PartitionKey', 'RowKey', 'big', 'größe', 'truth'])
  })
})

describe('findTextMember', () => {
  it('finds a member with its annotation', () => {
    const { start, end } = findTextMember(TEXT, 'big') ?? { start: 0, end: 0 }
    expect(TEXT.slice(start, end)).toBe('"big@odata.type":"Edm.Int64","big":"5"')
  })

  it.each(['', ':', ':,', 'a', 'RowKe', 'bi', 'big@odata.type', 'größ', 'gr\\u00f6\\u00dfe', '"'])(
    'finds nothing by the name %j',
    (name) => {
      expect(findTextMember(TEXT, name)).toBeUndefined()
    },
  )

  it('finds each of many names every time', () => {
    const names = Array.from({ length: 2_500 }, (_, at) => `p${at}`)
    const text = names.map((name, at) => `"${name}":${at}`).join(',')
    for (const name of [...names, ...names.slice(0, 10)]) {
      expect(findTextMember(text, name)).toMatchObject({ name, json: name.slice(1) })
    }
  })

  it('does not search for a name that is too long', () => {
    const name = 'x'.repeat(256)
    expect(findTextMember(`"${name}":1`, name)).toBeUndefined()
    expect(findTextMember(`"${name.slice(1)}":1`, name.slice(1))).toBeDefined()
  })
})

describe('propertyIn', () => {
  it('R-08: decodes the value with its type', () => {
    expect(found('PartitionKey')).toEqual({ type: 'String', value: 'a\\' })
    expect(found('RowKey')).toEqual({ type: 'String', value: ':,' })
    expect(found('big')).toEqual({ type: 'Int64', value: 5n })
    expect(found('größe')).toEqual({ type: 'Double', value: 2 })
    expect(found('truth')).toEqual({ type: 'Boolean', value: true })
  })
})

const anyUnits = fc.array(fc.constantFrom('"', '\\', 'a', '\n')).map((units) => units.join(''))

describe('endOfString', () => {
  it('is one past the closing quote, despite escapes before it', () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, (first, second) => {
        const literal = JSON.stringify(first)
        expect(endOfString(`[${literal},${JSON.stringify(second)}]`, 1)).toBe(1 + literal.length)
      }),
    )
  })
})
