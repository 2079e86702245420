import { modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { fitOf, holdsKeyOf } from '../../../packages/mapper/src/union/type-finder.ts'
import { Customer, Order } from './store.ts'

describe('fitOf', () => {
  it('finds no issues in an object that fits the schema and has no other members', () => {
    const issuesOf = (entity: object) => fitOf(Order, entity)?.issues.length
    expect(issuesOf({ customerId: 'c1', orderNo: 1, etag: 'W/"1"' })).toBe(0)
    expect(issuesOf({ customerId: 'c1', orderNo: 1, extra: undefined })).toBe(0)
    expect(issuesOf({ customerId: 'c1', orderNo: 1, extra: 1 })).toBe(1)
    expect(issuesOf({ customerId: 'c1', orderNo: 'one' })).toBe(1)
  })

  it('does not treat a plain object as an instance of a class', () => {
    expect(fitOf(modelOf(Customer), { customerId: 'c1' })).toBeUndefined()
  })

  it('lists what keeps an object from being an entity', () => {
    expect(fitOf(Order, { customerId: 'c1', orderNo: 1 })).toEqual({ issues: [], undeclared: 0 })
    expect(fitOf(Order, { orderNo: 1, extra: 1 })).toMatchObject({
      issues: [{ path: 'customerId' }, { path: 'extra' }],
      undeclared: 1,
    })
  })
})

describe('holdsKeyOf', () => {
  it('accepts the properties of the key alone', () => {
    expect(holdsKeyOf(Order, { customerId: 'c1', orderNo: 1 })).toBe(true)
    expect(holdsKeyOf(Order, { customerId: 'c1' })).toBe(false)
    expect(holdsKeyOf(Order, { customerId: 'c1', orderNo: 1, total: 2 })).toBe(false)
  })
})
