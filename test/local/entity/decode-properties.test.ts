import { describe, expect, it } from 'vitest'
import {
  decodeProperties,
  readMembers,
} from '../../../packages/local/src/entity/decode-properties.ts'
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
