import {
  DynamicEntity,
  EntityProperty,
  parseEntityObject,
  uncheckedDynamicCodec,
} from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DynamicCodec,
  memberOf,
  toDynamicEntity,
} from '../../../packages/mapper/src/codec/dynamic-codec.ts'
import { dynamicMapping } from '../../../packages/mapper/src/rows/table-parts.ts'
import { type Snapshot, snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { arbitraryName, arbitraryProperty } from '../../odata/arbitrary-values.ts'
import { invalidKey, invalidName, invalidValue } from '../../support/rejections.ts'
import { objectCodec } from '../object-codec.ts'
import { applied, changesOf as changesBy, lost } from '../object-writes.ts'
import { plain } from '../plain-snapshot.ts'
import { readPart } from '../read-part.ts'

const codec = objectCodec(dynamicMapping)
const origin = { account: 'contoso', table: 'people' }

const ETAG = `W/"datetime'2017-11-10T02%3A46%3A55.7383596Z'"`
const LATER = `W/"datetime'2018-11-10T02%3A46%3A55.1Z'"`

const ROW = `{"odata.metadata":"https://x/$metadata#people/@Element","odata.etag":${JSON.stringify(ETAG)},"PartitionKey":"Smith","RowKey":"Jeff","Timestamp":"2017-11-10T02:46:55.7383596Z","points@odata.type":"Edm.Int64","points":"9007199254740993","ratio":3.0,"since@odata.type":"Edm.DateTime","since":"2012-11-10T03:04:05.1234567Z","none":null}`

const read = (text: string, etag?: string) => codec.read(parseEntityObject(text), etag)
const body = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text))
const changesOf = (entity: DynamicEntity) => changesBy(codec, entity)

describe('the changes of a dynamic entity', () => {
  it('are empty when nothing changed', () => {
    expect(changesOf(read(ROW))).toBeUndefined()
    expect(changesOf(read(ROW).set('ratio', EntityProperty.double(3)))).toBeUndefined()
  })

  it('are only the assigned properties, so a merge keeps the rest', () => {
    const entity = read(ROW).set('ratio', 3).set('city', 'Seattle')
    expect(body(changesOf(entity))).toEqual({
      PartitionKey: 'Smith',
      RowKey: 'Jeff',
      ratio: 3,
      city: 'Seattle',
    })
  })

  it('include a value of another type, even if it is equal', () => {
    const entity = read('{"PartitionKey":"a","RowKey":"b","x":1,"y":1}')
    entity.set('x', EntityProperty.double(1))
    expect(changesOf(entity)).toBe(
      '{"PartitionKey":"a","RowKey":"b","x@odata.type":"Edm.Double","x":1.0}',
    )
  })

  it('include a Date and bytes that were changed in place', () => {
    const entity = read(
      '{"PartitionKey":"a","RowKey":"b","at@odata.type":"Edm.DateTime","at":"2012-11-10T03:04:05Z","bytes@odata.type":"Edm.Binary","bytes":"AQI="}',
    )
    entity.get('at')?.as('DateTime').setUTCFullYear(2013)
    entity.get('bytes')?.as('Binary').fill(0)
    expect(body(changesOf(entity))).toMatchObject({ at: '2013-11-10T03:04:05Z', bytes: 'AAA=' })
  })

  it('R-09: cannot remove a property', () => {
    const entity = read(ROW)
    entity.delete('points')
    const call = () => changesOf(entity)
    expect(call).toThrow(invalidValue)
    expect(call).toThrow(
      expect.objectContaining({ details: { property: 'points', type: 'Int64' } }),
    )
    expect(call).toThrow(/'points' is stored, but has no value now.*Use replace/)
  })

  it('are everything while the row is unknown, again and again until it is written', () => {
    const entity = new DynamicEntity('a', 'b', { x: 1 })
    expect(body(changesOf(entity))).toMatchObject({ x: 1 })
    const sent = changesOf(entity) as string
    expect(body(sent)).toMatchObject({ x: 1 })
    applied(codec, entity, { etag: ETAG, body: sent, whole: false })
    expect(changesOf(entity)).toBeUndefined()
  })

  it('are empty for an entity without properties, also when it is written', () => {
    const entity = new DynamicEntity('a', 'b')
    expect(changesOf(entity)).toBeUndefined()
    applied(codec, entity, { etag: ETAG, body: codec.write(entity), whole: true })
    expect(changesOf(entity)).toBeUndefined()
  })

  it('are everything for a row that the entity was not read from', () => {
    expect(Object.keys(body(codec.writeChanges(read(ROW), undefined)))).toContain('since')
  })

  it('are counted from the last write that was applied, when one was rejected after it', () => {
    const entity = read(ROW).set('city', 'Seattle')
    applied(codec, entity, { etag: LATER, body: changesOf(entity) as string, whole: false })
    entity.set('city', 'Portland')
    changesOf(entity)
    entity.set('city', 'Seattle')
    expect(changesOf(entity)).toBeUndefined()
  })

  it('include assignments made while a write was in flight', () => {
    for (const whole of [true, false]) {
      const entity = read(ROW).set('city', 'Seattle')
      const sent = whole ? codec.write(entity) : (changesOf(entity) as string)
      entity.set('city', 'Portland')
      applied(codec, entity, { etag: LATER, body: sent, whole })
      expect(body(changesOf(entity))).toEqual({
        PartitionKey: 'Smith',
        RowKey: 'Jeff',
        city: 'Portland',
      })
    }
  })

  it('include a property again that a replace has removed', () => {
    const entity = read(ROW)
    const points = entity.get('points') as EntityProperty
    entity.delete('points')
    applied(codec, entity, { etag: LATER, body: codec.write(entity), whole: true })
    expect(changesOf(entity)).toBeUndefined()
    expect(body(changesOf(entity.set('points', points)))).toMatchObject({
      points: '9007199254740993',
    })
  })

  it('include what a write in doubt has sent, and no other property', () => {
    const entity = read(ROW)
    lost(codec, entity, {
      body: '{"PartitionKey":"Smith","RowKey":"Jeff","ratio":4}',
      whole: false,
    })
    const sent = changesOf(entity) as string
    expect(sent).toBe(
      '{"PartitionKey":"Smith","RowKey":"Jeff","ratio@odata.type":"Edm.Double","ratio":3.0}',
    )
    expect(codec.etagOf(entity, snapshotOf(entity))).toBe(ETAG)
    applied(codec, entity, { etag: LATER, body: sent, whole: false })
    expect(changesOf(entity)).toBeUndefined()
  })

  it('include every property after a replace in doubt', () => {
    const entity = read(ROW)
    lost(codec, entity, { body: '{"PartitionKey":"Smith","RowKey":"Jeff","ratio":4}', whole: true })
    expect(Object.keys(body(changesOf(entity)))).toEqual(
      expect.arrayContaining(['points', 'ratio', 'since']),
    )
  })

  it('are empty for whatever names and values were read', () => {
    const properties = fc.array(fc.tuple(arbitraryName, arbitraryProperty), { maxLength: 8 })
    fc.assert(
      fc.property(properties, (pairs) => {
        const entity = new DynamicEntity('a', 'b', pairs)
        expect(changesOf(read(codec.write(entity)))).toBeUndefined()
      }),
      { numRuns: 1_000 },
    )
  })

  it('R-02: are rejected when the service does not accept a name, except by the unchecked codec', () => {
    const dashed = new DynamicEntity('a', 'b', { 'first-name': 'Jeff' })
    expect(() => changesOf(dashed)).toThrow(invalidName)
    const unchecked = objectCodec({
      ...dynamicMapping,
      codec: new DynamicCodec(uncheckedDynamicCodec),
    })
    const text = '{"PartitionKey":"a","RowKey":"b","first-name":"Jeff"}'
    expect(changesBy(unchecked, dashed)).toBe(text)
    const entity = unchecked.read(
      parseEntityObject('{"PartitionKey":"a","RowKey":"b","list-price":3.0}'),
    )
    expect(changesBy(unchecked, entity.set('rowkey', 1))).toBe(
      '{"PartitionKey":"a","RowKey":"b","rowkey":1}',
    )
    expect(changesBy(unchecked, entity.set('list-price', 4))).toContain('"list-price":4')
  })

  it('are rejected under a key that no request can carry', () => {
    expect(() => changesOf(new DynamicEntity('a', '\ud800', { x: 1 }))).toThrow(invalidKey)
  })
})

describe('toDynamicEntity', () => {
  const key = { partitionKey: 'a', rowKey: '1' }

  it.each([{ timestamp: new Date(0) }, { timestamp: 5 }, { etag: 5 }, { etag: 5, timestamp: 6 }])(
    'rejects %o, which would be lost',
    (lost) => {
      expect(() => toDynamicEntity({ ...key, ...lost })).toThrow(
        expect.objectContaining({ name: 'InputError', code: 'InvalidEntity' }),
      )
    },
  )

  it('takes the ETag and the Timestamp of a row that was read', () => {
    const read = toDynamicEntity({ ...key, etag: ETAG, timestamp: new Date(0), x: 1 })
    expect([read.etag, [...read.properties.keys()]]).toEqual([ETAG, ['x']])
    const absent = toDynamicEntity({ ...key, etag: undefined, timestamp: null })
    expect(absent.properties.size).toBe(0)
  })
})

describe('a dynamic entity', () => {
  it('knows its row, and whether only a part of it was read', () => {
    const raw = parseEntityObject(ROW)
    const known = { origin, row: raw, etag: ETAG }
    expect(plain(snapshotOf(codec.read(raw, LATER, origin)))).toEqual({ ...known, partial: false })
    const part = codec.read(raw, LATER, origin, true)
    expect(plain(snapshotOf(part))).toEqual({ ...known, partial: true })
    expect(changesOf(part)).toBeUndefined()
  })

  it('is a part until it is written whole', () => {
    const part = readPart(codec, parseEntityObject(ROW), LATER)
    applied(codec, part, {
      etag: LATER,
      body: '{"PartitionKey":"Smith","RowKey":"Jeff"}',
      whole: false,
    })
    expect(snapshotOf(part)?.partial).toBe(true)
    applied(codec, part, { etag: LATER, body: codec.write(part), whole: true })
    expect(snapshotOf(part)?.partial).toBe(false)
  })

  it('R-47: shows the ETag and the Timestamp of a write', () => {
    const entity = read(ROW)
    codec.showVersion(entity, LATER)
    expect(entity.etag).toBe(LATER)
    expect(JSON.stringify(entity.timestamp)).toBe('"2018-11-10T02:46:55.1Z"')
    codec.showVersion(entity, '"opaque"')
    expect(entity.etag).toBe('"opaque"')
    codec.showVersion(entity, undefined)
    expect(entity).not.toHaveProperty('etag')
  })

  it('stays as it is after a write when it is frozen', () => {
    const entity = Object.freeze(new DynamicEntity('a', 'b'))
    applied(codec, entity, { etag: LATER, body: codec.write(entity), whole: true })
    expect(entity.etag).toBeUndefined()
    expect(snapshotOf(entity)?.etag).toBe(LATER)
  })

  it('uses its ETag only for its own row, unless the caller assigned it', () => {
    const entity = read(ROW)
    expect(codec.etagOf(entity, snapshotOf(entity))).toBe(ETAG)
    expect(codec.etagOf(entity, undefined)).toBeUndefined()
    entity.etag = LATER
    expect(codec.etagOf(entity, undefined)).toBe(LATER)
    expect(codec.etagOf(new DynamicEntity('a', 'b'), undefined)).toBeUndefined()
  })

  it('is refreshed with the latest row', () => {
    const jeff = new DynamicEntity('Smith', 'Jeff', { shoe: 43 })
    codec.refresh(jeff, read(ROW))
    expect(jeff).toEqual(read(ROW))
  })

  it('has no ETag and no Timestamp when the refreshed row has neither', () => {
    const jeff = read(ROW)
    codec.refresh(jeff, read('{"PartitionKey":"Smith","RowKey":"Jeff"}'))
    expect(jeff).toEqual(new DynamicEntity('Smith', 'Jeff'))
  })

  it('reports a stored property that was deleted', () => {
    const jeff = read(ROW)
    const snapshot = snapshotOf(jeff) as Snapshot
    expect(codec.lacksStored(jeff, snapshot)).toBe(false)
    jeff.set('shoe', 43).delete('points')
    expect(codec.lacksStored(jeff, snapshot)).toBe(true)
    expect(codec.lacksStored(jeff, { ...snapshot, partial: true })).toBe(false)
    expect(codec.lacksStored(jeff, { ...snapshot, current: new Set(['points']) })).toBe(false)
  })

  it('has the members of a key', () => {
    expect(codec.isKey({ partitionKey: 'a', rowKey: 'b' })).toBe(true)
    expect(codec.isKey(read(ROW))).toBe(false)
    expect([codec.isKey({ partitionKey: 'a' }), codec.isKey({ rowKey: 'b' })]).toEqual([
      false,
      false,
    ])
  })
})

describe('a plain row of a class', () => {
  it('is rejected when it has a getter and setter, which would not be stored', () => {
    class Shoe {
      partitionKey = 'a'
      rowKey = '1'
      #size = 43
      get size(): number {
        return this.#size
      }
      set size(size: number) {
        this.#size = size
      }
    }
    expect(() => toDynamicEntity(new Shoe())).toThrow(
      expect.objectContaining({
        code: 'InvalidEntity',
        message: expect.stringMatching(/^Shoe\.size is a getter and setter, /),
      }),
    )
  })

  it('may compute its key, and may have methods and computed members', () => {
    class Shoe {
      size = 43
      get partitionKey(): string {
        return 'a'
      }
      set partitionKey(_: string) {}
      get rowKey(): string {
        return `${this.size}`
      }
      get label(): string {
        return `size ${this.size}`
      }
      fits(): void {}
    }
    const { partitionKey, rowKey, properties } = toDynamicEntity(new Shoe())
    expect([partitionKey, rowKey, ...properties.keys()]).toEqual(['a', '43', 'size'])
  })
})

describe('memberOf', () => {
  it('writes the type beside a value that does not show it', () => {
    const member = memberOf('n', EntityProperty.of(5n, 'Int64', 'n'))
    expect(member).toBe(',"n@odata.type":"Edm.Int64","n":"5"')
  })
})
