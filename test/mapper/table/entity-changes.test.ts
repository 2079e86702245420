import { ChangedKeyError, codecOf, modelOf, ProjectedEntityError } from '@rowkey/mapper'
import { dynamicEntityCodec } from '@rowkey/odata'
import {
  deleteEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  MissingETagError,
  mergeEntity,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { EntityChanges } from '../../../packages/mapper/src/table/entity-changes.ts'
import { Customer, customer } from '../customer.ts'

const codec = codecOf(modelOf(Customer))
const changes = new EntityChanges('customers', codec)
const read = (rest: object = {}) =>
  codec.read({ PartitionKey: 'Smith', RowKey: 'Jeff', age: 5, 'odata.etag': 'W/"1"', ...rest })
const key = { partitionKey: 'Smith', rowKey: 'Jeff' }

describe('EntityChanges', () => {
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

  it('R-46: goes by the ETag that the entity was read with, or by the one that is given', () => {
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
  ])('R-46: refuses a %s that has no ETag to go by', (method, call) => {
    expect(call).toThrow(MissingETagError)
    expect(call).toThrow(`${method} in table customers has no ETag`)
  })

  it('R-44: makes upserts without any ETag', () => {
    expect(changes.insertOrMerge(read()).input.etag).toBeUndefined()
    expect(changes.insertOrReplace(read()).input.etag).toBeUndefined()
  })

  it('makes no merge of an entity that did not change, unless it is asked to', () => {
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
    'R-100: refuses to %s an entity whose key changed',
    (method) => {
      const jeff = read()
      jeff.firstName = 'Ann'
      expect(() => changes[method](jeff, '*')).toThrow(ChangedKeyError)
    },
  )

  it('inserts an entity under a new key, and goes by that one afterwards', () => {
    const jeff = read()
    jeff.firstName = 'Ann'
    changes.begin(changes.insert(jeff)).written({ etag: 'W/"2"' })
    jeff.age = 7
    expect(changes.merge(jeff, undefined)?.input).toMatchObject({
      key: { partitionKey: 'Smith', rowKey: 'Ann' },
      etag: 'W/"2"',
    })
  })

  it('R-37: replaces nothing with a part of an entity, until it was written whole', () => {
    const part = dynamicEntityCodec.readPart({ PartitionKey: 'Smith', RowKey: 'Jeff', age: 5 })
    const dynamic = new EntityChanges('people', dynamicEntityCodec)
    expect(() => dynamic.replace(part, '*')).toThrow(ProjectedEntityError)
    expect(() => dynamic.insertOrReplace(part)).toThrow(ProjectedEntityError)
    dynamic.begin(dynamic.insert(part)).written({ etag: 'W/"2"' })
    expect(dynamicEntityCodec.isPart(part)).toBe(false)
    expect(() => dynamic.replace(part, '*')).not.toThrow()
  })
})
