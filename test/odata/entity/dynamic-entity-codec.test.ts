import {
  dynamicEntityCodec as codec,
  DynamicEntity,
  EntityKeyError,
  EntityProperty,
  PropertyNameError,
  PropertyValueError,
  parseEntityObject,
  uncheckedDynamicCodec,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryName, arbitraryProperty } from '../arbitrary-values.ts'

const ETAG = `W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`
const LATER = `W/"datetime'2018-11-10T02%3A46%3A55.1Z'"`

const ANSWER = `{"odata.metadata":"https://x/$metadata#people/@Element","odata.etag":${JSON.stringify(ETAG)},"PartitionKey":"Smith","RowKey":"Jeff","Timestamp":"2017-11-10T02:46:55.7383596Z","points@odata.type":"Edm.Int64","points":"9007199254740993","ratio":3.0,"since@odata.type":"Edm.DateTime","since":"2012-11-10T03:04:05.1234567Z","none":null}`

const read = (text: string, etag?: string) => codec.read(parseEntityObject(text), etag)
const body = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text))

describe('dynamicEntityCodec', () => {
  it('R-161: reads an entity that nobody declared, each property with its type', () => {
    const entity = read(ANSWER)
    expect(entity).toBeInstanceOf(DynamicEntity)
    expect(codec.keyOf(entity)).toEqual({ partitionKey: 'Smith', rowKey: 'Jeff' })
    expect(entity.get('points')?.as('Int64')).toBe(9_007_199_254_740_993n)
    expect(entity.get('ratio')?.as('Double')).toBe(3)
    expect(JSON.stringify(entity.timestamp)).toBe('"2017-11-10T02:46:55.7383596Z"')
    expect([...entity.properties.keys()]).toEqual(['points', 'ratio', 'since'])
  })

  it('takes the ETag of the object before that of the header', () => {
    expect(codec.etagOf(read(ANSWER, 'header'))).toBe(ETAG)
    expect(codec.etagOf(read('{"PartitionKey":"a","RowKey":"b"}', 'header'))).toBe('header')
    expect(codec.etagOf(read('{"PartitionKey":"a","RowKey":"b"}'))).toBeUndefined()
  })

  it('R-36: reads a projection that left the key out or gave null', () => {
    const entity = read('{"x":1,"PartitionKey":null}')
    expect(entity).toMatchObject({ partitionKey: '', rowKey: '' })
    expect(entity.get('x')?.value).toBe(1)
  })

  it('refuses an answer whose key is no string', () => {
    expect(() => read('{"PartitionKey":5,"RowKey":"b"}')).toThrow(PropertyValueError)
  })

  it('writes the key and every property, and no system property besides', () => {
    expect(codec.write(read(ANSWER))).toBe(
      '{"PartitionKey":"Smith","RowKey":"Jeff","points@odata.type":"Edm.Int64","points":"9007199254740993","ratio@odata.type":"Edm.Double","ratio":3.0,"since@odata.type":"Edm.DateTime","since":"2012-11-10T03:04:05.1234567Z"}',
    )
  })

  it('refuses a key that no request can carry', () => {
    const entity = new DynamicEntity('a', '\ud800')
    expect(() => codec.keyOf(entity)).toThrow(EntityKeyError)
    expect(() => codec.write(entity)).toThrow(EntityKeyError)
    expect(() => codec.writeChanges(entity)).toThrow(EntityKeyError)
  })

  it('has nothing to merge when nothing changed', () => {
    expect(codec.writeChanges(read(ANSWER))).toBeUndefined()
    expect(codec.writeChanges(read(ANSWER).set('ratio', EntityProperty.double(3)))).toBeUndefined()
  })

  it('merges what changed, and leaves the rest as it is stored', () => {
    const entity = read(ANSWER).set('ratio', 3).set('city', 'Seattle')
    expect(body(codec.writeChanges(entity))).toEqual({
      PartitionKey: 'Smith',
      RowKey: 'Jeff',
      ratio: 3,
      city: 'Seattle',
    })
  })

  it('sees a Date and bytes that were changed in place', () => {
    const entity = read(
      '{"PartitionKey":"a","RowKey":"b","at@odata.type":"Edm.DateTime","at":"2012-11-10T03:04:05Z","bytes@odata.type":"Edm.Binary","bytes":"AQI="}',
    )
    entity.get('at')?.as('DateTime').setUTCFullYear(2013)
    entity.get('bytes')?.as('Binary').fill(0)
    expect(body(codec.writeChanges(entity))).toMatchObject({
      at: '2013-11-10T03:04:05Z',
      bytes: 'AAA=',
    })
  })

  it('R-09: cannot merge a property away', () => {
    const entity = read(ANSWER)
    entity.delete('points')
    expect(() => codec.writeChanges(entity)).toThrow(
      /'points' is stored and was deleted.*Use replace/,
    )
  })

  it('merges everything of an entity that was not read, again and again until it is written', () => {
    const entity = new DynamicEntity('a', 'b', { x: 1 })
    expect(body(codec.writeChanges(entity))).toMatchObject({ x: 1 })
    const sent = codec.writeChanges(entity) as string
    expect(body(sent)).toMatchObject({ x: 1 })
    codec.written(entity, ETAG, { body: sent, whole: false })
    expect(codec.writeChanges(entity)).toBeUndefined()
  })

  it('merges an entity without properties until it is written', () => {
    const entity = new DynamicEntity('a', 'b')
    expect(codec.writeChanges(entity)).toBe('{"PartitionKey":"a","RowKey":"b"}')
    expect(codec.writeChanges(entity)).toBe('{"PartitionKey":"a","RowKey":"b"}')
  })

  it('R-47: carries the ETag and the Timestamp of a write', () => {
    const entity = read(ANSWER)
    codec.written(entity, LATER)
    expect(entity.etag).toBe(LATER)
    expect(JSON.stringify(entity.timestamp)).toBe('"2018-11-10T02:46:55.1Z"')
    codec.written(entity, '"opaque"')
    expect(entity.etag).toBe('"opaque"')
    codec.written(entity, undefined)
    expect(entity).not.toHaveProperty('etag')
  })

  it('leaves a frozen entity as it is after a write', () => {
    const entity = Object.freeze(new DynamicEntity('a', 'b'))
    codec.written(entity, LATER, { body: codec.write(entity), whole: true })
    expect(entity.etag).toBeUndefined()
  })

  it('keeps to the last write that succeeded, when one failed after it', () => {
    const entity = read(ANSWER).set('city', 'Seattle')
    codec.written(entity, LATER, { body: codec.writeChanges(entity) as string, whole: false })
    entity.set('city', 'Portland')
    codec.writeChanges(entity)
    entity.set('city', 'Seattle')
    expect(codec.writeChanges(entity)).toBeUndefined()
  })

  it('takes only the write that succeeded for written, when two are under way', () => {
    const entity = read(ANSWER).set('city', 'Seattle')
    const first = codec.writeChanges(entity) as string
    entity.set('city', 'Portland')
    codec.writeChanges(entity) // goes out too, and is refused
    codec.written(entity, LATER, { body: first, whole: false })
    expect(body(codec.writeChanges(entity))).toMatchObject({ city: 'Portland' })
  })

  it('counts a change made while a write was under way as not yet written', () => {
    const entity = read(ANSWER).set('city', 'Seattle')
    const sent = codec.write(entity)
    entity.set('city', 'Portland')
    codec.written(entity, LATER, { body: sent, whole: true })
    expect(body(codec.writeChanges(entity))).toMatchObject({ city: 'Portland' })
  })

  it('knows after a replace that what it left out is gone', () => {
    const entity = read(ANSWER)
    const points = entity.get('points') as EntityProperty
    entity.delete('points')
    codec.written(entity, LATER, { body: codec.write(entity), whole: true })
    expect(body(codec.writeChanges(entity.set('points', points)))).toMatchObject({
      points: '9007199254740993',
    })
  })

  it('merges everything once a write is in doubt, and goes by the same ETag', () => {
    const entity = read(ANSWER)
    codec.forget(entity)
    expect(Object.keys(body(codec.writeChanges(entity)))).toContain('since')
    expect(codec.etagOf(entity)).toBe(ETAG)
    codec.written(entity, LATER, { body: codec.writeChanges(entity) as string, whole: false })
    expect(codec.writeChanges(entity)).toBeUndefined()
  })

  it('knows a part of an entity until it is written whole', () => {
    const part = codec.readPart(parseEntityObject(ANSWER), LATER)
    expect([codec.isPart(part), codec.isPart(read(ANSWER))]).toEqual([true, false])
    expect(codec.writeChanges(part)).toBeUndefined()
    codec.forget(part)
    codec.written(part, LATER, { body: codec.writeChanges(part) as string, whole: false })
    expect(codec.isPart(part)).toBe(true)
    codec.written(part, LATER, { body: codec.write(part), whole: true })
    expect(codec.isPart(part)).toBe(false)
  })

  it('knows the key that an entity is stored under', () => {
    const entity = new DynamicEntity('a', 'b')
    expect(codec.storedKeyOf(entity)).toBeUndefined()
    codec.written(entity, LATER, { body: codec.write(entity), whole: true })
    entity.rowKey = 'c'
    expect(codec.storedKeyOf(entity)).toMatchObject({ partitionKey: 'a', rowKey: 'b' })
  })

  it('merges everything under another key', () => {
    const entity = read(ANSWER)
    entity.rowKey = 'Ann'
    expect(Object.keys(body(codec.writeChanges(entity)))).toContain('since')
  })

  it('reads back what it wrote, whatever the names and values', () => {
    const properties = fc.array(fc.tuple(arbitraryName, arbitraryProperty), { maxLength: 8 })
    fc.assert(
      fc.property(properties, (pairs) => {
        const text = codec.write(new DynamicEntity('a', 'b', pairs))
        const back = read(text)
        expect(codec.write(back)).toBe(text)
        expect(codec.writeChanges(back)).toBeUndefined()
        for (const [name, property] of new Map(pairs)) {
          expect(back.get(name)?.equals(property)).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a name that the service does not take', () => {
  const dashed = () => new DynamicEntity('a', 'b', { 'first-name': 'Jeff' })

  it('R-02: is refused by every write', () => {
    expect(() => codec.write(dashed())).toThrow(PropertyNameError)
    expect(() => codec.writeChanges(dashed())).toThrow(PropertyNameError)
  })

  it('is written by the unchecked codec', () => {
    const text = '{"PartitionKey":"a","RowKey":"b","first-name":"Jeff"}'
    expect(uncheckedDynamicCodec.write(dashed())).toBe(text)
    expect(uncheckedDynamicCodec.writeChanges(dashed())).toBe(text)
  })

  it('is read as any other, its type included', () => {
    const entity = uncheckedDynamicCodec.read(
      parseEntityObject('{"PartitionKey":"a","RowKey":"b","list-price":3.0}'),
    )
    expect(entity.get('list-price')).toEqual(EntityProperty.double(3))
    entity.set('RowKey'.toLowerCase(), 1)
    expect(uncheckedDynamicCodec.writeChanges(entity)).toBe(
      '{"PartitionKey":"a","RowKey":"b","rowkey":1}',
    )
  })

  it('R-05: is refused by both codecs when the protocol reads it as something else', () => {
    const entity = new DynamicEntity('a', 'b')
    entity.properties.set('x@odata.type', EntityProperty.string('Edm.Int64'))
    for (const each of [codec, uncheckedDynamicCodec]) {
      expect(() => each.write(entity)).toThrow(PropertyNameError)
    }
  })
})
