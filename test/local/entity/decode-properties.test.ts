import { edmCodecs, ticksOf } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkDistinctMembers,
  checkMemberName,
  decodeProperties,
  decodeProperty,
  readMembers,
} from '../../../packages/local/src/entity/decode-properties.ts'
import {
  printProperty,
  propertyIn,
  type StoredProperty,
} from '../../../packages/local/src/entity/entity-text.ts'
import { decodedProperties } from '../../support/stored-row.ts'

const decode = (body: object | string) =>
  decodedProperties(
    decodeProperties(readMembers(typeof body === 'string' ? body : JSON.stringify(body))),
  )
const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('decodeProperties', () => {
  it('decodes properties in order', () => {
    expect([...decode('{"b":"x","PartitionKey":"p","a":1,"RowKey":"r"}')]).toEqual([
      ['b', { type: 'String', value: 'x' }],
      ['a', { type: 'Int32', value: 1 }],
    ])
  })

  it('R-05: ignores a Timestamp and control information', () => {
    const given = decode({
      Timestamp: 'never',
      'Timestamp@odata.type': 'Edm.DateTime',
      'odata.etag': 'x',
      'odata.type': 'y',
      a: 1,
    })
    expect([...given.keys()]).toEqual(['a'])
  })

  it('R-09: drops nulls', () => {
    expect(decode({ a: null, 'b@odata.type': 'Edm.Int64', b: null }).size).toBe(0)
  })

  it('keeps properties with special names in JavaScript', () => {
    const given = decode('{"__proto__":"a","constructor":"b","toString":"c"}')
    expect([...given.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
  })

  it.each([{ a: {} }, { a: [] }, { a: [1] }])('rejects the value in %j', (body) => {
    expect(() => decode(body)).toThrow(code('InvalidInput'))
  })

  it('rejects an unknown type of a null', () => {
    expect(() => decode({ 'a@odata.type': 'Edm.Foo', a: null })).toThrow(code('InvalidValueType'))
  })

  it('rejects an invalid name of a null', () => {
    expect(() => decode({ 'a-b': null })).toThrow(code('PropertyNameInvalid'))
  })

  it('R-07: checks names before values', () => {
    expect(() => decode({ a: {}, 'a-b': 1 })).toThrow(code('PropertyNameInvalid'))
  })
})

describe('readMembers', () => {
  it('R-08: separates a whole Double from an Int32, with or without blanks', () => {
    expect(readMembers('{"a":5.0,"b": 5 , "c" : 1E3}')).toEqual({
      'a@odata.type': 'Edm.Double',
      a: 5,
      b: 5,
      'c@odata.type': 'Edm.Double',
      c: 1000,
    })
  })

  it('annotates a fraction that is lost, because it is beyond the digits of a Double', () => {
    const members = { 'a@odata.type': 'Edm.Double', a: 1, 'b@odata.type': 'Edm.Double', b: 0 }
    expect(readMembers(`{"a":1.${'0'.repeat(20)}1,"b":0.${'0'.repeat(400)}1}`)).toEqual(members)
  })

  it.each(['', 'x', '[]', 'null', '1', '"a"', '{', '{"a":1}}', '{"a":NaN}'])(
    'rejects the body %j',
    (body) => {
      expect(() => readMembers(body)).toThrow(
        expect.objectContaining({ status: 400, code: 'InvalidInput' }),
      )
    },
  )

  it('reads millions of nested arrays without an overflow', () => {
    const body = '['.repeat(1_000_000)
    expect(() => readMembers(body)).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidInput' }),
    )
  })
})

describe('checkDistinctMembers', () => {
  it.each([
    '{}',
    '{"a":1,"b":2}',
    '{ "a" : "b" , "b" : "a" }',
    '{"a":"\\"a\\":","b":"a:"}',
    '{"a":"\\\\","b":"x"}',
    '{"a":"b","A":"b"}',
  ])('accepts %s', (json) => {
    JSON.parse(json)
    expect(() => checkDistinctMembers(json)).not.toThrow()
  })

  it.each([
    '{"a":1,"a":2}',
    '{"a":1, "\\u0061" :2}',
    '{"a":"\\\\","a":1}',
    '{"a":"x","b":0,"a":"x"}',
  ])('rejects %s', (json) => {
    JSON.parse(json)
    expect(() => checkDistinctMembers(json)).toThrow(code('DuplicatePropertiesSpecified'))
  })

  it.each(['PartitionKey', 'RowKey'])('rejects a second %s with its own code', (name) => {
    expect(() => checkDistinctMembers(`{"${name}":"a","${name}":"a"}`)).toThrow(
      code('DuplicateKeyPropertySpecified'),
    )
  })

  it('accepts every object that JSON.stringify writes', () => {
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', ':', ',', '{', 'a', '\ud800'),
      maxLength: 6,
    })
    fc.assert(
      fc.property(
        fc.dictionary(text, text, { maxKeys: 6 }),
        fc.constantFrom(undefined, 2),
        (object, indent) => {
          expect(() => checkDistinctMembers(JSON.stringify(object, null, indent))).not.toThrow()
        },
      ),
    )
  })
})

describe('checkMemberName', () => {
  it.each(['a', '_', 'Größe', '名前', 'a1_', '__proto__', 'é'.repeat(255)])(
    'accepts %s',
    (name) => {
      expect(() => checkMemberName(name)).not.toThrow()
    },
  )

  it.each(['', '1a', 'a-b', 'a b', 'a.b', 'a@b', 'a\u0000', '😀'])('rejects %j', (name) => {
    expect(() => checkMemberName(name)).toThrow(code('PropertyNameInvalid'))
  })

  it('rejects a name of more than 255 units with its own code', () => {
    expect(() => checkMemberName('a'.repeat(256))).toThrow(code('PropertyNameTooLong'))
  })
})

const decodeOne = (json: unknown, type?: unknown) => propertyIn(decodeProperty('p', json, type))

describe('decodeProperty', () => {
  it.each([
    ['text', 'String', 'text'],
    ['', 'String', ''],
    [true, 'Boolean', true],
    [5, 'Int32', 5],
    [-(2 ** 31), 'Int32', -(2 ** 31)],
    [2 ** 31, 'Double', 2 ** 31],
    [1.5, 'Double', 1.5],
    [1e300, 'Double', 1e300],
  ])('R-08: infers from %j alone the type %s', (json, type, value) => {
    expect(decodeOne(json, undefined)).toEqual({ type, value })
  })

  it.each([
    ['Edm.Int64', '9223372036854775807', 2n ** 63n - 1n],
    ['Edm.Int64', 5, 5n],
    ['Edm.Double', 4, 4],
    ['Edm.Double', '4.5', 4.5],
    ['Edm.Double', 'NaN', Number.NaN],
    ['Edm.Double', '-Infinity', Number.NEGATIVE_INFINITY],
    ['Edm.Guid', 'C9DA6455-213D-42C9-9A79-3E9149A57833', 'c9da6455-213d-42c9-9a79-3e9149a57833'],
    ['Edm.Binary', 'AQL/', Uint8Array.of(1, 2, 255)],
    ['Edm.String', 'a', 'a'],
    ['Edm.Int32', 7, 7],
    ['Edm.Boolean', false, false],
    ['Edm.Boolean', 'false', false],
    ['Edm.Boolean', 'TRUE', true],
    ['Edm.Int32', '5', 5],
    ['Edm.Int32', '-2147483648', -(2 ** 31)],
  ])('R-08: reads an %s from %j', (type, json, value) => {
    const property = decodeOne(json, type)
    expect(property.type).toBe(type.slice(4))
    expect(
      property.value instanceof Uint8Array ? Uint8Array.from(property.value) : property.value,
    ).toEqual(value)
  })

  it('R-08: keeps a DateTime to 100 ns, with an offset or without', () => {
    const at = (text: string) => ticksOf(decodeOne(text, 'Edm.DateTime').value as Date)
    expect(at('2017-11-10T02:46:55.7383596Z') % 10_000_000n).toBe(7_383_596n)
    expect(at('2017-11-10T04:46:55+02:00')).toBe(at('2017-11-10T02:46:55Z'))
    expect(at('2017-11-10T02:46:55')).toBe(at('2017-11-10T02:46:55Z'))
    expect(at('2017-11-10')).toBe(at('2017-11-10T00:00:00Z'))
  })

  it.each([
    ['Edm.Int64', 'abc'],
    ['Edm.Int64', '9223372036854775808'],
    ['Edm.Int64', 1.5],
    ['Edm.Int32', 2 ** 31],
    ['Edm.Int32', '-3.1'],
    ['Edm.Int32', '2147483648'],
    ['Edm.Int32', ''],
    ['Edm.Int32', ' 5'],
    ['Edm.Double', 'much'],
    ['Edm.Boolean', 'yes'],
    ['Edm.Boolean', ''],
    ['Edm.Boolean', 1],
    ['Edm.Guid', 'c9da6455'],
    ['Edm.Binary', 'not base64'],
    ['Edm.DateTime', 'yesterday'],
    ['Edm.DateTime', 5],
    ['Edm.String', 5],
    ['Edm.String', {}],
  ])('rejects for %s the value %j', (type, json) => {
    expect(() => decodeOne(json, type)).toThrow(code('InvalidInput'))
  })

  it('rejects a number beyond a Double, annotated or not', () => {
    const { huge } = JSON.parse('{"huge":-1e400}')
    expect(() => decodeOne(huge)).toThrow(code('InvalidInput'))
    expect(() => decodeOne(huge, 'Edm.Double')).toThrow(code('InvalidInput'))
    expect(() => decodeOne('1e400', 'Edm.Double')).toThrow(code('InvalidInput'))
    expect(() => decodeOne('-1e400', 'Edm.Double')).toThrow(code('InvalidInput'))
  })

  it.each([
    '1600-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '1601-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '-0001-01-01',
  ])('R-08: rejects %s as out of range', (text) => {
    expect(() => decodeOne(text, 'Edm.DateTime')).toThrow(code('OutOfRangeInput'))
  })

  it.each([
    '2020-01-01Tnoon',
    '2020-02-30T00:00:00Z',
    '2020-01-01T25:00:00Z',
    '2020-01-01T00:00:00.12345678Z',
    '1600-13-01T00:00:00Z',
  ])('R-08: rejects %s as an invalid date', (text) => {
    expect(() => decodeOne(text, 'Edm.DateTime')).toThrow(code('InvalidInput'))
  })

  it.each(['Edm.Single', 'Int32', '', 'Edm.', 'Edm.int32', null, 5, {}])(
    'rejects the type %j',
    (type) => {
      expect(() => decodeOne('a', type)).toThrow(code('InvalidValueType'))
    },
  )
})

describe('decodeProperty of a text', () => {
  const printed = (type: 'Binary' | 'Int64', json: string) => {
    try {
      return printProperty('p', {
        type,
        value: edmCodecs[type].readJson(json, 'p'),
      } as StoredProperty)
    } catch {
      return undefined
    }
  }
  const read = (type: string, json: string) => {
    try {
      return decodeProperty('p', json, `Edm.${type}`)
    } catch {
      return undefined
    }
  }

  it('R-10: stores bytes and integers as their values are printed, however they are written', () => {
    const base64 = fc.string({ unit: fc.constantFrom(...'AQgwEIcz/+=9 -'), maxLength: 8 })
    const digits = fc.string({ unit: fc.constantFrom(...'0019-'), maxLength: 20 })
    const texts = fc.oneof(fc.base64String(), base64, digits, fc.bigInt().map(String))
    fc.assert(
      fc.property(fc.constantFrom('Binary', 'Int64'), texts, (type, text) => {
        expect(read(type, text)).toEqual(printed(type, text))
      }),
      { numRuns: 2_000 },
    )
  })
})
