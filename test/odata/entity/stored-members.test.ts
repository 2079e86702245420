import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  confirmStored,
  expectStored,
  rememberRead,
  storedMembers,
} from '../../../packages/odata/src/entity/stored-members.ts'

const X1 = new Map([['x', '"x":1']])
const X2 = new Map([['x', '"x":2']])

describe('storedMembers', () => {
  it('knows nothing of an entity that was neither read nor written', () => {
    expect(storedMembers(new DynamicEntity('a', 'b', { x: 1 }))).toBeUndefined()
  })

  it('knows what was read, in our own form of it', () => {
    const entity = new DynamicEntity('a', 'b')
    rememberRead(entity, { PartitionKey: 'a', RowKey: 'b', x: 1 })
    expect(storedMembers(entity)).toEqual(X1)
  })

  it('learns of a write when it has succeeded, not before', () => {
    const entity = new DynamicEntity('a', 'b')
    expectStored(entity, X1)
    expect(storedMembers(entity)).toBeUndefined()
    confirmStored(entity)
    expect(storedMembers(entity)).toEqual(X1)
    expectStored(entity, X2)
    expect(storedMembers(entity)).toEqual(X1)
    confirmStored(entity)
    confirmStored(entity)
    expect(storedMembers(entity)).toEqual(X2)
  })

  it('knows nothing of the row under another key', () => {
    const entity = new DynamicEntity('a', 'b')
    expectStored(entity, X1)
    confirmStored(entity)
    entity.rowKey = 'c'
    expect(storedMembers(entity)).toBeUndefined()
    entity.rowKey = 'b'
    expect(storedMembers(entity)).toEqual(X1)
  })

  it('takes a write for done under the key it was made with', () => {
    const entity = new DynamicEntity('a', 'b')
    expectStored(entity, X1)
    entity.partitionKey = 'z'
    confirmStored(entity)
    expect(storedMembers(entity)).toBeUndefined()
    entity.partitionKey = 'a'
    expect(storedMembers(entity)).toEqual(X1)
  })
})
