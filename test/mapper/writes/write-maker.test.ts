import { modelOf } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import {
  deleteEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { allRows, dynamicMapping } from '../../../packages/mapper/src/rows/table-parts.ts'
import {
  afterApplied,
  type WrittenObject,
} from '../../../packages/mapper/src/snapshot/written-object.ts'
import type { Write } from '../../../packages/mapper/src/writes/write.ts'
import { WriteMaker } from '../../../packages/mapper/src/writes/write-maker.ts'
import { Customer, customer } from '../customer.ts'
import { type ObjectCodec, objectCodec, objectsOf } from '../object-codec.ts'

const codec = objectsOf(modelOf(Customer))
const origin = { account: 'contoso', table: 'customers' }
const service = { now: () => 0 }
const maker = new WriteMaker({ service, name: 'customers', origin, rows: allRows }, codec)
const row = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 5, 'odata.etag': 'W/"1"' }
const read = (rest: object = {}) => codec.read({ ...row, ...rest }, undefined, origin)
const key = { partitionKey: 'Smith', rowKey: 'Jeff' }

/** Lets the object of a write know that the service applied it. */
function letApplied<Entity extends object>(
  { object }: Write,
  etag: string,
  by: ObjectCodec<Entity>,
): void {
  const snapshot = afterApplied(object as WrittenObject, etag)
  by.showVersion(object?.entity as Entity, snapshot?.etag)
}

describe('WriteMaker', () => {
  it('R-43: makes each write its own operation', () => {
    const jeff = read()
    jeff.age = 6
    expect(maker.insert(jeff).operation).toBe(insertEntity)
    expect(maker.replace(jeff, undefined).operation).toBe(updateEntity)
    expect(maker.merge(jeff, undefined)?.operation).toBe(mergeEntity)
    expect(maker.insertOrReplace(jeff).operation).toBe(insertOrReplaceEntity)
    expect(maker.insertOrMerge(jeff).operation).toBe(insertOrMergeEntity)
    expect(maker.delete(jeff, undefined).operation).toBe(deleteEntity)
  })

  it('names table and key, and carries the body', () => {
    expect(maker.insert(customer('Smith', 'Jeff')).input).toEqual({
      table: 'customers',
      key,
      body: '{"PartitionKey":"Smith","RowKey":"Jeff"}',
    })
  })

  it('R-46: uses the ETag that the entity was read with, or that of the caller', () => {
    const jeff = read()
    expect(maker.replace(jeff, undefined).input.etag).toBe('W/"1"')
    expect(maker.replace(jeff, '*').input.etag).toBe('*')
    expect(maker.delete(jeff, undefined).input.etag).toBe('W/"1"')
    expect(maker.delete(['Smith', 'Jeff'], '*').input).toMatchObject({ key, etag: '*', body: '' })
  })

  it.each([
    ['replace', () => maker.replace(customer('a', 'b'), undefined)],
    ['merge', () => maker.merge(customer('a', 'b'), undefined)],
    ['delete', () => maker.delete(customer('a', 'b'), undefined)],
    ['delete', () => maker.delete(['a', 'b'], undefined)],
    ['delete', () => maker.delete({ partitionKey: 'a', rowKey: 'b' }, undefined)],
    ['merge', () => maker.merge(Object.assign(customer('a', 'b'), { etag: '*' }), undefined)],
    ['replace', () => maker.replace(Object.assign(customer('a', 'b'), { etag: '*' }), undefined)],
    ['delete', () => maker.delete(Object.assign(customer('a', 'b'), { etag: '*' }), undefined)],
  ])('R-46: rejects a %s that has no ETag', (method, call) => {
    expect(call).toThrow(expect.objectContaining({ code: 'MissingETag' }))
    expect(call).toThrow(`${method} in table customers has no ETag`)
  })

  it('R-44: makes upserts without an ETag', () => {
    expect(maker.insertOrMerge(read()).input.etag).toBeUndefined()
    expect(maker.insertOrReplace(read()).input.etag).toBeUndefined()
  })

  it('makes no merge of an entity that did not change, except by mergeAlways', () => {
    const jeff = read()
    expect(maker.merge(jeff, undefined)).toBeUndefined()
    expect(maker.mergeAlways(jeff, undefined).input).toMatchObject({
      body: '{"PartitionKey":"Smith","RowKey":"Jeff"}',
      etag: 'W/"1"',
    })
    jeff.age = 6
    expect(maker.mergeAlways(jeff, undefined).input.body).toContain('"age":6')
  })

  it.each(['merge', 'replace', 'delete'] as const)(
    'R-100: rejects a %s of an entity whose key changed',
    (method) => {
      const jeff = read()
      jeff.firstName = 'Ann'
      expect(() => maker[method](jeff, '*')).toThrow(
        expect.objectContaining({ name: 'InputError', code: 'ChangedKey' }),
      )
    },
  )

  it('inserts an entity under a new key, and uses the ETag of that row afterwards', () => {
    const jeff = read()
    jeff.firstName = 'Ann'
    letApplied(maker.insert(jeff), 'W/"2"', codec)
    jeff.age = 7
    expect(maker.merge(jeff, undefined)?.input).toMatchObject({
      key: { partitionKey: 'Smith', rowKey: 'Ann' },
      etag: 'W/"2"',
    })
  })

  it.each<[string, ObjectCodec<object>]>([
    ['a class', codec as unknown as ObjectCodec<object>],
    ['a dynamic entity', objectCodec(dynamicMapping) as unknown as ObjectCodec<object>],
  ])('R-37: rejects a replace by a part of %s, until it was written whole', (_, by) => {
    const part = by.read(row, undefined, origin, true)
    const others = new WriteMaker({ service, name: 'customers', origin, rows: allRows }, by)
    for (const call of [() => others.replace(part, '*'), () => others.insertOrReplace(part)]) {
      expect(call).toThrow(expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }))
      expect(call).toThrow(/was read with select .*Use merge/)
    }
    letApplied(others.insert(part), 'W/"2"', by)
    expect(() => others.replace(part, '*')).not.toThrow()
    expect(() => others.replace(part, undefined)).not.toThrow()
  })

  it.each([undefined, null, 5, 'Jeff', []])('rejects %o as an entity', (garbage) => {
    const given = garbage as never
    for (const call of [
      () => maker.insert(given),
      () => maker.insertOrMerge(given),
      () => maker.insertOrReplace(given),
      () => maker.merge(given, '*'),
      () => maker.replace(given, '*'),
    ]) {
      expect(call).toThrow(InputError)
      expect(call).toThrow(/of table customers needs an entity, but got /)
    }
  })
})

describe('a replace by the ETag of the entity', () => {
  it('is rejected when the entity was never read, and accepted with the ETag of the caller', () => {
    const jeff = customer('Smith', 'Jeff', { etag: 'W/"1"' })
    expect(() => maker.replace(jeff, undefined)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    expect(() => maker.replace(jeff, undefined)).toThrow(/it was never read, or it is a copy/)
    expect(maker.replace(jeff, 'W/"1"').input.etag).toBe('W/"1"')
  })

  it('is rejected for a copy of an entity that was read', () => {
    const copy = { ...read(), age: 6 } as Customer
    expect(() => maker.replace(copy, undefined)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    expect(() => maker.replace(copy, '*')).not.toThrow()
  })

  it('is rejected when the ETag is of a version that was not read', () => {
    const jeff = read()
    jeff.etag = 'W/"2"'
    expect(() => maker.replace(jeff, undefined)).toThrow(
      /the ETag of a version that it has not read/,
    )
  })

  it('is rejected after a merge into a version that was not read, until the entity is read again', () => {
    const jeff = read()
    jeff.age = 6
    letApplied(maker.merge(jeff, undefined) as Write, 'W/"2"', codec)
    expect(() => maker.replace(jeff, undefined)).not.toThrow()
    letApplied(maker.insertOrMerge(jeff), 'W/"3"', codec)
    expect(() => maker.replace(jeff, undefined)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    expect(() => maker.replace(jeff, undefined)).toThrow(/into a version that it has not read/)
    expect(() => maker.replace(jeff, '*')).not.toThrow()
    letApplied(maker.insertOrReplace(jeff), 'W/"4"', codec)
    expect(() => maker.replace(jeff, undefined)).not.toThrow()
  })
})

describe('a merge by the ETag of the entity', () => {
  it('is rejected for a property that is unknown at that version, which it names', () => {
    const jeff = read({ 'rating@odata.type': 'Edm.Double', rating: 1 })
    jeff.age = 6
    letApplied(maker.merge(jeff, '*') as Write, 'W/"2"', codec)
    jeff.rating = 2
    const call = () => maker.merge(jeff, undefined)
    expect(call).toThrow(expect.objectContaining({ code: 'StaleProperty' }))
    expect(call).toThrow(/'rating' was changed/)
    expect(maker.merge(jeff, '*')?.input.body).toContain('"rating":2.0')
    Object.assign(jeff, { rating: 1, age: 7 })
    expect(maker.merge(jeff, undefined)?.input).toMatchObject({
      body: '{"PartitionKey":"Smith","RowKey":"Jeff","age":7}',
      etag: 'W/"2"',
    })
  })
})

describe('an entity of another table', () => {
  const elsewhere = new WriteMaker(
    { service, name: 'archive', origin: { ...origin, table: 'archive' }, rows: allRows },
    codec,
  )
  const abroad = new WriteMaker(
    { service, name: 'customers', origin: { ...origin, account: 'fabrikam' }, rows: allRows },
    codec,
  )

  it.each([elsewhere, abroad])('is as if it had never been read', (others) => {
    const jeff = read()
    for (const method of ['merge', 'replace', 'delete'] as const) {
      expect(() => others[method](jeff, undefined)).toThrow(
        expect.objectContaining({ code: 'MissingETag' }),
      )
      expect(() => others[method](jeff, undefined)).toThrow(/from or written to another table/)
    }
    expect(others.merge(jeff, '*')?.input.body).toBe(
      '{"PartitionKey":"Smith","RowKey":"Jeff","age":5}',
    )
  })
})

describe('a write of an entity that was deleted', () => {
  it('is sent even if nothing changed', () => {
    const jeff = read()
    letApplied(maker.delete(jeff, undefined), 'W/"1"', codec)
    expect(maker.merge(jeff, undefined)?.input).toMatchObject({ etag: 'W/"1"' })
  })
})
