import {
  dynamicEntityCodec as codec,
  DynamicEntity,
  EntityProperty,
  parseEntityObject,
  uncheckedDynamicCodec,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
