import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  forgetStored,
  rememberRead,
  rememberSent,
  storedMembers,
} from '../../../packages/odata/src/entity/stored-members.ts'

const X1 = new Map([['x', '"x":1']])

const body = (text: string, rowKey = 'b') => `{"PartitionKey":"a","RowKey":"${rowKey}",${text}}`
const replaced = (text: string) => ({ body: body(text), whole: true })
const merged = (text: string) => ({ body: body(text), whole: false })

describe('storedMembers', () => {
  it('knows nothing of an entity that was neither read nor written', () => {
    expect(storedMembers(new DynamicEntity('a', 'b', { x: 1 }))).toBeUndefined()
  })

  it('knows what was read, in our own form of it', () => {
    const entity = new DynamicEntity('a', 'b')
    rememberRead(entity, { PartitionKey: 'a', RowKey: 'b', x: 1 })
    expect(storedMembers(entity)).toEqual(X1)
  })

  it('knows what was sent, whatever the entity holds by now', () => {
    const entity = new DynamicEntity('a', 'b', { x: 2 })
    rememberSent(entity, replaced('"x":1'))
    expect(storedMembers(entity)).toEqual(X1)
  })

  it('puts what was merged over what was there, and what was replaced in its place', () => {
    const entity = new DynamicEntity('a', 'b')
    rememberRead(entity, { PartitionKey: 'a', RowKey: 'b', x: 1, y: 'old' })
    rememberSent(entity, merged('"y":3.0'))
    const yWhole = '"y@odata.type":"Edm.Double","y":3.0'
    expect(storedMembers(entity)).toEqual(new Map([...X1, ['y', yWhole]]))
    rememberSent(entity, replaced('"x":1'))
    expect(storedMembers(entity)).toEqual(X1)
  })

  it('knows only what was sent since everything was forgotten', () => {
    const entity = new DynamicEntity('a', 'b')
    rememberRead(entity, { PartitionKey: 'a', RowKey: 'b', y: 1 })
    forgetStored(entity)
    expect(storedMembers(entity)).toBeUndefined()
    rememberSent(entity, merged('"x":1'))
    expect(storedMembers(entity)).toEqual(X1)
  })

  it('knows nothing of the row under another key', () => {
    const entity = new DynamicEntity('a', 'b')
    rememberSent(entity, merged('"x":1'))
    entity.rowKey = 'c'
    expect(storedMembers(entity)).toBeUndefined()
    entity.rowKey = 'b'
    expect(storedMembers(entity)).toEqual(X1)
  })

  it('takes a write for done under the key it was made with', () => {
    const entity = new DynamicEntity('z', 'b')
    rememberSent(entity, merged('"x":1'))
    expect(storedMembers(entity)).toBeUndefined()
    entity.partitionKey = 'a'
    expect(storedMembers(entity)).toEqual(X1)
  })

  it('does not mix a merge under a new key with what lies under the old one', () => {
    const entity = new DynamicEntity('a', 'b')
    rememberRead(entity, { PartitionKey: 'a', RowKey: 'b', y: 1 })
    entity.rowKey = 'c'
    rememberSent(entity, { body: body('"x":1', 'c'), whole: false })
    expect(storedMembers(entity)).toEqual(X1)
  })
})
