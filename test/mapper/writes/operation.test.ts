import { Operation } from '@rowkey/mapper'

import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'

const jeff = customer('Smith', 'Jeff')

describe('Operation', () => {
  it('R-91: makes a value of every kind of operation', () => {
    expect(Operation.insert(jeff)).toEqual({ kind: 'insert', entity: jeff, etag: undefined })
    expect(Operation.merge(jeff, { etag: 'W/"1"' })).toMatchObject({
      kind: 'merge',
      etag: 'W/"1"',
    })
    expect(Operation.replace(jeff, { etag: '*' })).toMatchObject({ kind: 'replace', etag: '*' })
    expect(Operation.insertOrMerge(jeff)).toMatchObject({ kind: 'insertOrMerge', entity: jeff })
    expect(Operation.insertOrReplace(jeff)).toMatchObject({ kind: 'insertOrReplace' })
    expect(Operation.delete(['Smith', 'Jeff'], { etag: '*' })).toEqual({
      kind: 'delete',
      target: ['Smith', 'Jeff'],
      etag: '*',
    })
    expect(Operation.retrieve('Smith', 'Jeff')).toEqual({
      kind: 'retrieve',
      target: ['Smith', 'Jeff'],
    })
    expect(Operation.retrieve({ lastName: 'Smith', firstName: 'Jeff' })).toEqual({
      kind: 'retrieve',
      target: { lastName: 'Smith', firstName: 'Jeff' },
    })
  })

  it('accepts the type of the entity as the first argument', () => {
    expect(Operation.insert(Customer, jeff)).toEqual({
      kind: 'insert',
      type: Customer,
      entity: jeff,
    })
    expect(Operation.merge(Customer, jeff, { etag: '*' })).toEqual({
      kind: 'merge',
      type: Customer,
      entity: jeff,
      etag: '*',
    })
    const target = { lastName: 'Smith', firstName: 'Jeff' }
    expect(Operation.delete(Customer, target, { etag: '*' })).toEqual({
      kind: 'delete',
      type: Customer,
      target,
      etag: '*',
    })
    expect(Operation.retrieve(Customer, target)).toEqual({
      kind: 'retrieve',
      type: Customer,
      target,
    })
  })

  it('makes frozen values that hold the entity itself', () => {
    const operation = Operation.merge(jeff)
    expect(Object.isFrozen(operation)).toBe(true)
    expect(operation.entity).toBe(jeff)
  })

  it('rejects unknown options', () => {
    const misspelt = { eatg: '*' } as object
    expect(() => Operation.merge(jeff, misspelt)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(() => Operation.replace(jeff, misspelt)).toThrow(
      /Operation\.replace has no option 'eatg'/,
    )
    expect(() => Operation.delete(jeff, misspelt)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    const insert = Operation.insert as (entity: object, options: object) => unknown
    expect(() => insert(jeff, { etag: '*' })).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })
})
