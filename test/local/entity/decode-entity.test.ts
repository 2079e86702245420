import { describe, expect, it } from 'vitest'
import {
  checkSameKey,
  decodeEntity,
  requireKey,
} from '../../../packages/local/src/entity/decode-entity.ts'

const decode = (body: object) => decodeEntity(JSON.stringify(body))
const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('decodeEntity', () => {
  it('reads keys and properties, the latter in their order', () => {
    const given = decodeEntity('{"b":"x","PartitionKey":"p","a":1,"RowKey":"r"}')
    expect(given).toMatchObject({ partitionKey: 'p', rowKey: 'r' })
    expect([...given.properties]).toEqual([
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
    expect([...given.properties.keys()]).toEqual(['a'])
  })

  it('R-09: drops nulls', () => {
    expect(decode({ a: null, 'b@odata.type': 'Edm.Int64', b: null }).properties.size).toBe(0)
  })

  it('keeps properties that JavaScript would take for something else', () => {
    const given = decodeEntity('{"__proto__":"a","constructor":"b","toString":"c"}')
    expect([...given.properties.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
  })

  it.each(['', 'x', '[]', 'null', '1', '"a"', '{', '{"a":1}}', '{"a":NaN}'])(
    'refuses the body %j',
    (body) => {
      expect(() => decodeEntity(body)).toThrow(code('InvalidInput'))
    },
  )

  it.each([{ a: {} }, { a: [] }, { a: [1] }])('refuses the value in %j', (body) => {
    expect(() => decode(body)).toThrow(code('InvalidInput'))
  })

  it('refuses a bad name even of a null', () => {
    expect(() => decode({ 'a-b': null })).toThrow(code('PropertyNameInvalid'))
  })

  it('R-07: refuses a key that is no string', () => {
    expect(() => decode({ PartitionKey: 1 })).toThrow(code('PrimaryKeyPropertyIsInvalidType'))
    expect(() => decode({ RowKey: {} })).toThrow(code('PrimaryKeyPropertyIsInvalidType'))
    const typed = { RowKey: '5', 'RowKey@odata.type': 'Edm.Int64' }
    expect(() => decode(typed)).toThrow(code('PrimaryKeyPropertyIsInvalidType'))
    expect(decode({ ...typed, 'RowKey@odata.type': 'Edm.String' }).rowKey).toBe('5')
  })
})

describe('requireKey', () => {
  it('R-07: refuses a body without both keys', () => {
    expect(requireKey(decode({ PartitionKey: '', RowKey: '' }))).toEqual({
      partitionKey: '',
      rowKey: '',
    })
    expect(() => requireKey(decode({ PartitionKey: 'p' }))).toThrow(code('PropertiesNeedValue'))
    expect(() => requireKey(decode({ PartitionKey: 'p', RowKey: null }))).toThrow(
      code('PropertiesNeedValue'),
    )
  })
})

describe('checkSameKey', () => {
  it('takes a body that repeats the keys of the URL, or leaves them out', () => {
    const key = { partitionKey: 'p', rowKey: 'r' }
    expect(() => checkSameKey(decode({}), key)).not.toThrow()
    expect(() => checkSameKey(decode({ PartitionKey: 'p', RowKey: 'r' }), key)).not.toThrow()
    expect(() => checkSameKey(decode({ RowKey: 'other' }), key)).toThrow(code('InvalidInput'))
  })
})
