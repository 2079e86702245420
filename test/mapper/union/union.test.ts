import { defineEntity, Entity, key, ModelError, PartitionKey, RowKey, union } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Customer, Group, Order, Refund, User } from './store.ts'

const orderParts = {
  name: 'orders',
  partitionKey: key`${'customerId'}`,
  schema: z.object({ customerId: z.string(), orderNo: z.number().int() }),
}

@Entity('store')
class AnyKey {
  @PartitionKey() customerId = ''
  @RowKey() id = ''
}

describe('union', () => {
  it('R-160: keeps types apart whose keys begin in different ways', () => {
    const { title, unknown, types } = union(Customer, Order, Refund)
    expect([title, unknown, types.length]).toEqual(['Customer | orders | refunds', 'reject', 3])
  })

  it('names types by their discriminators, and types of one name by their keys', () => {
    expect(union(User, Group).title).toBe('User | Group')
    const Old = defineEntity({ ...orderParts, rowKey: key`0003_${'orderNo:8'}` })
    expect(union(Order, Old).title).toBe('orders (RowKey 0002_…) | orders (RowKey 0003_…)')
  })

  it('rejects overlapping types and names them', () => {
    expect(() => union(Order, AnyKey)).toThrow(
      'orders: A row could have this type and AnyKey: orders (RowKey 0002_…) and AnyKey (any key).',
    )
    expect(() => union(Order, Order)).toThrow(ModelError)
  })

  it('rejects an empty list of types, and values that are not types', () => {
    expect(() => (union as () => void)()).toThrow('A union needs at least one type')
    expect(() => union(Order, undefined as never)).toThrow(ModelError)
    expect(() => union('orders' as never)).toThrow(ModelError)
  })

  it('rejects unknown options', () => {
    expect(() => union(Order, { unknwon: 'dynamic' } as never)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(() => union(Order, { unknown: 'ignore' as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })
})
