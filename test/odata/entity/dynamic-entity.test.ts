import { DynamicEntity, dynamicEntityCodec, EntityProperty } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invalidName, invalidValue } from '../../support/rejections.ts'
import { arbitraryName, arbitraryProperty } from '../arbitrary-values.ts'

const arbitraryProperties = fc.array(
  fc.tuple(fc.oneof(arbitraryName, fc.constantFrom('a.b', 'a:b', 'x.odata.y')), arbitraryProperty),
  { maxLength: 6 },
)

describe('DynamicEntity', () => {
  it('takes its properties from an object, and leaves out null and undefined', () => {
    const entity = new DynamicEntity('Smith', 'Jeff', { points: 100n, none: null, gone: undefined })
    expect(entity).toMatchObject({ partitionKey: 'Smith', rowKey: 'Jeff' })
    expect([...entity.properties]).toEqual([['points', EntityProperty.int64(100n)]])
  })

  it.each([null, 5, 'text', true])('rejects %j in the place of its properties', (properties) => {
    expect(() => new DynamicEntity('a', 'b', properties as never)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidPropertyValue' }),
    )
  })

  it('takes its properties from pairs, such as those of another entity', () => {
    const entity = new DynamicEntity('a', 'b', { x: 1, y: 'z' })
    expect(new DynamicEntity('a', 'c', entity.properties).properties).toEqual(entity.properties)
    expect(new DynamicEntity('a', 'c', new Map([['none', null]])).properties.size).toBe(0)
  })

  it('R-96: keeps the type of a property', () => {
    const entity = new DynamicEntity('a', 'b')
      .set('ratio', EntityProperty.double(3))
      .set('count', 3)
    expect(entity.get('ratio')?.type).toBe('Double')
    expect(entity.get('count')?.type).toBe('Int32')
    expect(entity.get('absent')).toBeUndefined()
  })

  it('writes the JSON of the service, without loss', () => {
    const entity = dynamicEntityCodec.read({
      PartitionKey: 'Smith',
      RowKey: 'Jeff',
      Timestamp: '2026-11-20T10:01:00.1234567Z',
      'odata.etag': 'W/"1"',
      'points@odata.type': 'Edm.Int64',
      points: '9007199254740993',
      'price@odata.type': 'Edm.Double',
      price: 3,
      name: 'Jeff',
      'a.b': 1,
    })
    const text = JSON.stringify({ entity })
    expect(text).toBe(
      '{"entity":{"odata.etag":"W/\\"1\\"","PartitionKey":"Smith","RowKey":"Jeff","Timestamp":"2026-11-20T10:01:00.1234567Z","points@odata.type":"Edm.Int64","points":"9007199254740993","price@odata.type":"Edm.Double","price":3,"name":"Jeff","a.b":1}}',
    )
    expect(dynamicEntityCodec.read(JSON.parse(text).entity)).toEqual(entity)
  })

  it('can be read from its own JSON without loss', () => {
    const entities = fc
      .tuple(fc.string(), fc.string(), arbitraryProperties, fc.option(fc.string()))
      .map(([partitionKey, rowKey, properties, etag]) => {
        const entity = new DynamicEntity(partitionKey, rowKey, properties)
        if (etag !== null) entity.etag = etag
        return entity
      })
    fc.assert(
      fc.property(entities, (entity) => {
        const copy = dynamicEntityCodec.read(JSON.parse(JSON.stringify(entity)))
        expect(copy).toEqual(entity)
        for (const [name, property] of entity.properties) {
          expect(copy.get(name)?.equals(property)).toBe(true)
        }
      }),
    )
  })

  it('finds and deletes properties by name', () => {
    const entity = new DynamicEntity('a', 'b', { x: 1 })
    expect([entity.has('x'), entity.has('X'), entity.has('toString')]).toEqual([true, false, false])
    expect([entity.delete('x'), entity.delete('x')]).toEqual([true, false])
  })

  it('accepts names of Object.prototype', () => {
    const entity = new DynamicEntity('a', 'b', JSON.parse('{"__proto__":1}')).set('constructor', 2)
    expect([...entity.properties.keys()]).toEqual(['__proto__', 'constructor'])
  })

  it.each(['PartitionKey', 'Timestamp', 'odata.etag', 'a@odata.type', '\ud800'])(
    'R-05: rejects a property named %j',
    (name) => {
      expect(() => new DynamicEntity('a', 'b').set(name, 1)).toThrow(invalidName)
      expect(() => new DynamicEntity('a', 'b', { [name]: 1 })).toThrow(invalidName)
    },
  )

  it.each(['a-b', '', '1a', 'x'.repeat(256)])(
    'accepts the name %j, which a service may accept',
    (name) => {
      expect(new DynamicEntity('a', 'b', { [name]: 1 }).get(name)?.value).toBe(1)
    },
  )

  it.each([{}, [], Symbol('x'), () => 1, null, undefined])('rejects the value %o', (value) => {
    expect(() => new DynamicEntity('a', 'b').set('x', value as never)).toThrow(invalidValue)
  })
})
