import {
  EntityProperty,
  edmTypeOf,
  parseEntityJson,
  propertyNamesOf,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { readProperties } from '../../../packages/odata/src/entity/entity-codec.ts'
import { unreadable } from '../../support/rejections.ts'

const raw: RawEntity = {
  PartitionKey: 'a',
  Timestamp: '2017-11-10T02:46:55.7383596Z',
  'big@odata.type': 'Edm.Int64',
  big: '5',
  'whole@odata.type': 'Edm.Double',
  whole: 3,
  count: 3,
  large: 2 ** 40,
  name: 'x',
  none: null,
  'typedNone@odata.type': 'Edm.Int64',
  typedNone: null,
  'odd@odata.type': 'Edm.Decimal',
  odd: '5',
  'bare@odata.type': 'Int64',
  bare: '5',
  'numeric@odata.type': 5,
  numeric: '5',
  nested: {},
  list: [],
}

describe('readProperty', () => {
  it.each([
    ['PartitionKey', 'String', 'a'],
    ['big', 'Int64', 5n],
    ['whole', 'Double', 3],
    ['count', 'Int32', 3],
    ['large', 'Double', 2 ** 40],
    ['name', 'String', 'x'],
  ] as const)('reads %s as %s', (name, type, value) => {
    expect(edmTypeOf(raw, name)).toBe(type)
    expect(readProperty(raw, name)).toMatchObject({ type, value })
  })

  it('reads the Timestamp, which the service does not annotate, as a DateTime', () => {
    expect(readProperty(raw, 'Timestamp')?.type).toBe('DateTime')
    expect(JSON.stringify(readProperty(raw, 'Timestamp')?.value)).toContain('.7383596Z')
  })

  it.each(['none', 'typedNone', 'absent', 'constructor', 'toString', '__proto__'])(
    'R-09: returns undefined for %s',
    (name) => {
      expect(readProperty(raw, name)).toBeUndefined()
      expect(edmTypeOf(raw, name)).toBeUndefined()
    },
  )

  it.each(['odd', 'bare', 'numeric'])(
    'does not read %s, whose annotation is not an Edm type',
    (name) => {
      expect(() => readProperty(raw, name)).toThrow(unreadable)
      expect(() => readProperty(raw, name)).toThrow(
        `The stored property "${name}" has the unknown type '`,
      )
    },
  )

  it.each(['nested', 'list'])('does not read a JSON %s', (name) => {
    expect(() => readProperty(raw, name)).toThrow(
      `The stored property "${name}" is a JSON object or array, which is not an Edm value.`,
    )
  })
})

const parse = (text: string) => parseEntityJson(text) as RawEntity

describe('readProperties', () => {
  it('leaves out system properties, annotations and nulls', () => {
    const raw = parse(
      '{"odata.etag":"x","odata.metadata":"y","PartitionKey":"a","RowKey":"b","Timestamp":"2017-11-10T02:46:55Z","n@odata.type":"Edm.Int64","n":"5","none":null}',
    )
    expect([...readProperties(raw)]).toEqual([['n', EntityProperty.int64(5n)]])
  })

  it('keeps the order of the JSON', () => {
    expect([...readProperties(parse('{"b":1,"a":2,"c":3}')).keys()]).toEqual(['b', 'a', 'c'])
  })

  it('reads names of Object.prototype', () => {
    const properties = readProperties(parse('{"__proto__":1,"constructor":"x","toString":true}'))
    expect([...properties.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    expect(properties.get('__proto__')?.value).toBe(1)
  })

  it('reads an annotation before and after its member', () => {
    const raw = parse('{"a":"5","a@odata.type":"Edm.Int64"}')
    expect(readProperties(raw).get('a')?.value).toBe(5n)
  })

  it('names the property that it cannot read', () => {
    const raw = parse('{"a@odata.type":"Edm.Guid","a":"x"}')
    expect(() => readProperties(raw)).toThrow(unreadable)
    expect(() => readProperties(raw)).toThrow('The stored property "a" is')
  })

  it('reads properties with a dot or a colon in the name', () => {
    const raw = parse('{"a.b":3.0,"c:d@odata.type":"Edm.Int64","c:d":"5","x.odata.y":1,"e@f":true}')
    expect([...readProperties(raw)]).toEqual([
      ['a.b', EntityProperty.double(3)],
      ['c:d', EntityProperty.int64(5n)],
      ['x.odata.y', EntityProperty.int32(1)],
      ['e@f', EntityProperty.boolean(true)],
    ])
  })

  it('reads many names, and keeps a bounded number of them', () => {
    for (let at = 0; at < 4_100; at++) expect(readProperties({ [`q${at}`]: at }).size).toBe(1)
    expect(readProperties({ q0: 1, 'odata.etag': 'x' }).size).toBe(1)
  })
})

describe('propertyNamesOf', () => {
  it('lists stored properties and leaves out system properties, annotations and nulls', () => {
    const raw = parse(
      '{"odata.etag":"x","PartitionKey":"a","RowKey":"b","Timestamp":"2017-11-10T02:46:55Z","n@odata.type":"Edm.Int64","n":"5","none":null,"a.b":3.0,"c:d":"e","x.odata.y":1,"__proto__":1}',
    )
    expect(propertyNamesOf(raw)).toEqual(['n', 'a.b', 'c:d', 'x.odata.y', '__proto__'])
  })
})
