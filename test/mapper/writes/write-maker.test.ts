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
import { afterApplied } from '../../../packages/mapper/src/snapshot/after-write.ts'
import type { WrittenObject } from '../../../packages/mapper/src/snapshot/written-object.ts'
import type { Write } from '../../../packages/mapper/src/writes/write.ts'
import { WriteMaker } from '../../../packages/mapper/src/writes/write-maker.ts'
import { Customer, customer } from '../customer.ts'
import { type ObjectCodec, objectCodec, objectsOf } from '../object-codec.ts'

const codec = objectsOf(modelOf(Customer))
const origin = { account: 'contoso', table: 'customers' }
const changes = new WriteMaker(
  { name: 'customers', origin, mapping: codec, rows: allRows },
  () => 0,
)
const row = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 5, 'odata.etag': 'W/"1"' }
const read = (rest: object = {}) => codec.read({ ...row, ...rest }, undefined, origin)
const key = { partitionKey: 'Smith', rowKey: 'Jeff' }

/** Lets the object of a change know that the service applied it. */
function letApplied<Entity extends object>(
  { write }: Write,
  etag: string,
  by: ObjectCodec<Entity>,
): void {
  const snapshot = afterApplied(write as WrittenObject, etag)
  by.showVersion(write?.entity as Entity, snapshot?.etag)
}

describe('WriteMaker', () => {
  it('R-43: makes each write its own operation', () => {
    const jeff = read()
    jeff.age = 6
    expect(changes.insert(jeff).operation).toBe(insertEntity)
    expect(changes.replace(jeff, undefined).operation).toBe(updateEntity)
    expect(changes.merge(jeff, undefined)?.operation).toBe(mergeEntity)
    expect(changes.insertOrReplace(jeff).operation).toBe(insertOrReplaceEntity)
    expect(changes.insertOrMerge(jeff).operation).toBe(insertOrMergeEntity)
    expect(changes.delete(jeff, undefined).operation).toBe(deleteEntity)
  })

  it('names table and key, and carries the body', () => {
    expect(changes.insert(customer('Smith', 'Jeff')).input).toEqual({
      table: 'customers',
      key,
      body: '{"PartitionKey":"Smith","RowKey":"Jeff"}',
    })
  })

  it('R-46: uses the ETag that the entity was read with, or that of the caller', () => {
    const jeff = read()
    expect(changes.replace(jeff, undefined).input.etag).toBe('W/"1"')
    expect(changes.replace(jeff, '*').input.etag).toBe('*')
    expect(changes.delete(jeff, undefined).input.etag).toBe('W/"1"')
    expect(changes.delete(['Smith', 'Jeff'], '*').input).toMatchObject({ key, etag: '*', body: '' })
  })

  it.each([
    ['replace', () => changes.replace(customer('a', 'b'), undefined)],
    ['merge', () => changes.merge(customer('a', 'b'), undefined)],
    ['delete', () => changes.delete(customer('a', 'b'), undefined)],
    ['delete', () => changes.delete(['a', 'b'], undefined)],
    ['delete', () => changes.delete({ partitionKey: 'a', rowKey: 'b' }, undefined)],
    ['merge', () => changes.merge(Object.assign(customer('a', 'b'), { etag: '*' }), undefined)],
    ['replace', () => changes.replace(Object.assign(customer('a', 'b'), { etag: '*' }), undefined)],
    ['delete', () => changes.delete(Object.assign(customer('a', 'b'), { etag: '*' }), undefined)],
  ])('R-46: rejects a %s that has no ETag', (method, call) => {
    expect(call).toThrow(expect.objectContaining({ code: 'MissingETag' }))
    expect(call).toThrow(`${method} in table customers has no ETag`)
  })

  it('R-44: makes upserts without an ETag', () => {
    expect(changes.insertOrMerge(read()).input.etag).toBeUndefined()
    expect(changes.insertOrReplace(read()).input.etag).toBeUndefined()
  })

  it('makes no merge of an entity that did not change, except by mergeAlways', () => {
    const jeff = read()
    expect(changes.merge(jeff, undefined)).toBeUndefined()
    expect(changes.mergeAlways(jeff, undefined).input).toMatchObject({
      body: '{"PartitionKey":"Smith","RowKey":"Jeff"}',
      etag: 'W/"1"',
    })
    jeff.age = 6
    expect(changes.mergeAlways(jeff, undefined).input.body).toContain('"age":6')
  })

  it.each(['merge', 'replace', 'delete'] as const)(
    'R-100: rejects a %s of an entity whose key changed',
    (method) => {
      const jeff = read()
      jeff.firstName = 'Ann'
      expect(() => changes[method](jeff, '*')).toThrow(
        expect.objectContaining({ name: 'InputError', code: 'ChangedKey' }),
      )
    },
  )

  it('inserts an entity under a new key, and uses the ETag of that row afterwards', () => {
    const jeff = read()
    jeff.firstName = 'Ann'
    letApplied(changes.insert(jeff), 'W/"2"', codec)
    jeff.age = 7
    expect(changes.merge(jeff, undefined)?.input).toMatchObject({
      key: { partitionKey: 'Smith', rowKey: 'Ann' },
      etag: 'W/"2"',
    })
  })

  it.each<[string, ObjectCodec<object>]>([
    ['a class', codec as unknown as ObjectCodec<object>],
    ['a dynamic entity', objectCodec(dynamicMapping) as unknown as ObjectCodec<object>],
  ])('R-37: rejects a replace by a part of %s, until it was written whole', (_, by) => {
    const part = by.read(row, undefined, origin, true)
    const others = new WriteMaker(
      { name: 'customers', origin, mapping: by, rows: allRows },
      () => 0,
    )
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
      () => changes.insert(given),
      () => changes.insertOrMerge(given),
      () => changes.insertOrReplace(given),
      () => changes.merge(given, '*'),
      () => changes.replace(given, '*'),
    ]) {
      expect(call).toThrow(InputError)
      expect(call).toThrow(/of table customers needs an entity, but got /)
    }
  })
})

describe('a replace by the ETag of the entity', () => {
  it('is rejected when the entity was never read, and accepted with the ETag of the caller', () => {
    const jeff = customer('Smith', 'Jeff', { etag: 'W/"1"' })
    expect(() => changes.replace(jeff, undefined)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    expect(() => changes.replace(jeff, undefined)).toThrow(/it was never read, or it is a copy/)
    expect(changes.replace(jeff, 'W/"1"').input.etag).toBe('W/"1"')
  })

  it('is rejected for a copy of an entity that was read', () => {
    const copy = { ...read(), age: 6 } as Customer
    expect(() => changes.replace(copy, undefined)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    expect(() => changes.replace(copy, '*')).not.toThrow()
  })

  it('is rejected when the ETag is of a version that was not read', () => {
    const jeff = read()
    jeff.etag = 'W/"2"'
    expect(() => changes.replace(jeff, undefined)).toThrow(
      /the ETag of a version that it has not read/,
    )
  })

  it('is rejected after a merge into a version that was not read, until the entity is read again', () => {
    const jeff = read()
    jeff.age = 6
    letApplied(changes.merge(jeff, undefined) as Write, 'W/"2"', codec)
    expect(() => changes.replace(jeff, undefined)).not.toThrow()
    letApplied(changes.insertOrMerge(jeff), 'W/"3"', codec)
    expect(() => changes.replace(jeff, undefined)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    expect(() => changes.replace(jeff, undefined)).toThrow(/into a version that it has not read/)
    expect(() => changes.replace(jeff, '*')).not.toThrow()
    letApplied(changes.insertOrReplace(jeff), 'W/"4"', codec)
    expect(() => changes.replace(jeff, undefined)).not.toThrow()
  })
})

describe('a merge by the ETag of the entity', () => {
  it('is rejected for a property that is unknown at that version, which it names', () => {
    const jeff = read({ 'rating@odata.type': 'Edm.Double', rating: 1 })
    jeff.age = 6
    letApplied(changes.merge(jeff, '*') as Write, 'W/"2"', codec)
    jeff.rating = 2
    const call = () => changes.merge(jeff, undefined)
    expect(call).toThrow(expect.objectContaining({ code: 'StaleProperty' }))
    expect(call).toThrow(/'rating' was changed/)
    expect(changes.merge(jeff, '*')?.input.body).toContain('"rating":2.0')
    Object.assign(jeff, { rating: 1, age: 7 })
    expect(changes.merge(jeff, undefined)?.input).toMatchObject({
      body: '{"PartitionKey":"Smith","RowKey":"Jeff","age":7}',
      etag: 'W/"2"',
    })
  })
})

describe('an entity of another table', () => {
  const elsewhere = new WriteMaker(
    {
      name: 'archive',
      origin: { ...origin, table: 'archive' },
      mapping: codec,
      rows: allRows,
    },
    () => 0,
  )
  const abroad = new WriteMaker(
    {
      name: 'customers',
      origin: { ...origin, account: 'fabrikam' },
      mapping: codec,
      rows: allRows,
    },
    () => 0,
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
    letApplied(changes.delete(jeff, undefined), 'W/"1"', codec)
    expect(changes.merge(jeff, undefined)?.input).toMatchObject({ etag: 'W/"1"' })
  })
})
