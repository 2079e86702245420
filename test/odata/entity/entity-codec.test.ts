import {
  checkPropertyText,
  dynamicEntityCodec as codec,
  DynamicEntity,
  EntityProperty,
  edmCodecs,
  edmTypeOf,
  memberText,
  parseEntityJson,
  parseEntityObject,
  propertyNamesOf,
  type RawEntity,
  readProperty,
  uncheckedDynamicCodec,
  writeMember,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readProperties, writeEntityJson } from '../../../packages/odata/src/entity/entity-codec.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { invalidKey, invalidName, unreadable } from '../../support/rejections.ts'
import { arbitraryName, arbitraryProperty } from '../arbitrary-values.ts'

const ETAG = `W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`

const ROW = `{"odata.metadata":"https://x/$metadata#people/@Element","odata.etag":${JSON.stringify(ETAG)},"PartitionKey":"Smith","RowKey":"Jeff","Timestamp":"2017-11-10T02:46:55.7383596Z","points@odata.type":"Edm.Int64","points":"9007199254740993","ratio":3.0,"since@odata.type":"Edm.DateTime","since":"2012-11-10T03:04:05.1234567Z","none":null}`

const read = (text: string, etag?: string) => codec.read(parseEntityObject(text), etag)

describe('dynamicEntityCodec', () => {
  it('R-161: reads a row without a declared class, each property with its type', () => {
    const entity = read(ROW)
    expect(entity).toBeInstanceOf(DynamicEntity)
    expect(codec.keyOf(entity)).toEqual({ partitionKey: 'Smith', rowKey: 'Jeff' })
    expect(entity.get('points')?.as('Int64')).toBe(9_007_199_254_740_993n)
    expect(entity.get('ratio')?.as('Double')).toBe(3)
    expect(JSON.stringify(entity.timestamp)).toBe('"2017-11-10T02:46:55.7383596Z"')
    expect([...entity.properties.keys()]).toEqual(['points', 'ratio', 'since'])
  })

  it('takes the ETag of the object before the ETag of the header', () => {
    expect(read(ROW, 'header').etag).toBe(ETAG)
    expect(read('{"PartitionKey":"a","RowKey":"b"}', 'header').etag).toBe('header')
    expect(read('{"PartitionKey":"a","RowKey":"b"}').etag).toBeUndefined()
  })

  it('R-36: reads a projection without a key, or with null as key', () => {
    const entity = read('{"x":1,"PartitionKey":null}')
    expect(entity).toMatchObject({ partitionKey: '', rowKey: '' })
    expect(entity.get('x')?.value).toBe(1)
  })

  it('rejects a response whose key is not a string', () => {
    expect(() => read('{"PartitionKey":5,"RowKey":"b"}')).toThrow(unreadable)
  })

  it.each(['1e400', '-1e400', '9'.repeat(400)])(
    'rejects a response with a number beyond a Double: %s',
    (digits) => {
      expect(() => read(`{"PartitionKey":"a","RowKey":"b","n":${digits}}`)).toThrow(unreadable)
    },
  )

  it('writes the key and every property, and no system property', () => {
    expect(codec.write(read(ROW))).toBe(
      '{"PartitionKey":"Smith","RowKey":"Jeff","points@odata.type":"Edm.Int64","points":"9007199254740993","ratio@odata.type":"Edm.Double","ratio":3.0,"since@odata.type":"Edm.DateTime","since":"2012-11-10T03:04:05.1234567Z"}',
    )
  })

  it('rejects a key that no request can carry', () => {
    const entity = new DynamicEntity('a', '\ud800')
    expect(() => codec.keyOf(entity)).toThrow(invalidKey)
    expect(() => codec.write(entity)).toThrow(invalidKey)
  })

  longTest('reads what it wrote, for all names and values', () => {
    const properties = fc.array(fc.tuple(arbitraryName, arbitraryProperty), { maxLength: 8 })
    fc.assert(
      fc.property(properties, (pairs) => {
        const text = codec.write(new DynamicEntity('a', 'b', pairs))
        const back = read(text)
        expect(codec.write(back)).toBe(text)
        for (const [name, property] of new Map(pairs)) {
          expect(back.get(name)?.equals(property)).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a name that the service does not accept', () => {
  const dashed = () => new DynamicEntity('a', 'b', { 'first-name': 'Jeff' })

  it('R-02: is rejected', () => {
    expect(() => codec.write(dashed())).toThrow(invalidName)
  })

  it('is written by the unchecked codec', () => {
    const text = '{"PartitionKey":"a","RowKey":"b","first-name":"Jeff"}'
    expect(uncheckedDynamicCodec.write(dashed())).toBe(text)
  })

  it('is read with its type', () => {
    const entity = uncheckedDynamicCodec.read(
      parseEntityObject('{"PartitionKey":"a","RowKey":"b","list-price":3.0}'),
    )
    expect(entity.get('list-price')).toEqual(EntityProperty.double(3))
  })

  it('R-05: is rejected by both codecs when it is an annotation of the protocol', () => {
    const entity = new DynamicEntity('a', 'b')
    entity.properties.set('x@odata.type', EntityProperty.string('Edm.Int64'))
    for (const each of [codec, uncheckedDynamicCodec]) {
      expect(() => each.write(entity)).toThrow(invalidName)
    }
  })
})

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

const entity = () => new DynamicEntity('a', 'b', { x: 1, big: 5n })
const write = (given: DynamicEntity) => writeEntityJson(given, checkPropertyText)

describe('writeEntityJson', () => {
  it('R-07: writes the key, then every property', () => {
    expect(write(entity())).toBe(
      '{"PartitionKey":"a","RowKey":"b","x":1,"big@odata.type":"Edm.Int64","big":"5"}',
    )
    expect(write(new DynamicEntity('', ''))).toBe('{"PartitionKey":"","RowKey":""}')
  })

  it('rejects a key that no request can carry', () => {
    const wrong = entity()
    wrong.rowKey = '\ud800'
    expect(() => write(wrong)).toThrow(invalidKey)
  })

  it('rejects a name that was not assigned by set', () => {
    const wrong = entity()
    wrong.properties.set('RowKey', EntityProperty.string('c'))
    expect(() => write(wrong)).toThrow(invalidName)
  })

  it('writes the names of many tables', () => {
    for (let at = 0; at < 2_100; at++) {
      const text = write(new DynamicEntity('a', 'b', { [`r${at}`]: at }))
      expect(text).toBe(`{"PartitionKey":"a","RowKey":"b","r${at}":${at}}`)
    }
  })
})

describe('memberText', () => {
  it('holds the text before a value', () => {
    expect(memberText('points').plain).toBe('"points":')
    expect(memberText('points').annotated('Int64')).toBe(
      '"points@odata.type":"Edm.Int64","points":',
    )
  })

  it('escapes a quote', () => {
    expect(memberText('a"b').plain).toBe('"a\\"b":')
    expect(memberText('a"b').annotated('Guid')).toBe('"a\\"b@odata.type":"Edm.Guid","a\\"b":')
  })
})

describe('writeMember', () => {
  it('R-21: annotates a value whose JSON does not show its type', () => {
    const text = memberText('p')
    expect(writeMember(text, edmCodecs.Int64, 5n)).toBe('"p@odata.type":"Edm.Int64","p":"5"')
    expect(writeMember(text, edmCodecs.Double, 3)).toBe('"p@odata.type":"Edm.Double","p":3.0')
    expect(writeMember(text, edmCodecs.Double, 3.5)).toBe('"p":3.5')
    expect(writeMember(text, edmCodecs.String, 'a')).toBe('"p":"a"')
    expect(writeMember(text, edmCodecs.Int32, 3)).toBe('"p":3')
  })
})
