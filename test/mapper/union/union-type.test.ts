import { modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { UnionType } from '../../../packages/mapper/src/union/union-type.ts'
import { Customer, Order, User } from './store.ts'

const customers = new UnionType(modelOf(Customer))
const orders = new UnionType(Order)

describe('UnionType', () => {
  it('recognizes its rows by the beginning of both keys', () => {
    expect(orders.hasRow({ PartitionKey: 'c1', RowKey: '0002_00000007' })).toBe(true)
    expect(orders.hasRow({ PartitionKey: 'c1', RowKey: '0001_c1' })).toBe(false)
    expect(orders.hasRow({ PartitionKey: 'c1' })).toBe(false)
  })

  it('knows which other types overlap with it', () => {
    expect(orders.overlaps(customers)).toBe(false)
    expect(orders.overlaps(orders)).toBe(true)
  })

  it('describes in messages how its rows are recognized', () => {
    expect(String(orders)).toBe('orders (RowKey 0002_…)')
    expect(String(new UnionType(User))).toBe('User (EntityType User, RowKey self)')
  })
})
