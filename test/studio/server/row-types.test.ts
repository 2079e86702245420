import {
  DynamicEntity,
  decorate,
  defineEntity,
  Entity,
  key,
  PartitionKey,
  RowKey,
  StoreAs,
  union,
} from 'rowkey'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { RowTypes } from '../../../packages/studio/src/server/row-types.ts'

const Order = defineEntity({
  name: 'store',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0002_${'orderNo:8'}`,
  schema: z.object({ customerId: z.string(), orderNo: z.number().int(), total: z.number() }),
})
const Invoice = defineEntity({
  name: 'store',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0003_${'invoiceNo:8'}`,
  schema: z.object({ customerId: z.string(), invoiceNo: z.number().int() }),
})

class Customer {
  lastName = ''
  firstName = ''
  email?: string
}
decorate(Customer, Entity('people'), {
  lastName: [PartitionKey()],
  firstName: [RowKey()],
  email: [StoreAs('cea')],
})

const row = (rowKey: string) => new DynamicEntity('c1', rowKey, { total: 3 })

describe('the types of a module', () => {
  it('are those of its models, unions and classes', () => {
    const types = new RowTypes({ Order, both: union(Order, Invoice), Customer, other: 5, f() {} })
    expect(types.names).toEqual([
      {
        title: 'Order',
        table: 'store',
        partition: ['customerId'],
        row: ['orderNo'],
        names: [['total', 'total']],
      },
      {
        title: 'store',
        table: 'store',
        partition: ['customerId'],
        row: ['invoiceNo'],
        names: [],
      },
      {
        title: 'Customer',
        table: 'people',
        partition: ['lastName'],
        row: ['firstName'],
        names: [['cea', 'email']],
      },
    ])
  })

  it('are found by the rows of their table', () => {
    const types = new RowTypes({ Customer, Order })
    expect(types.kindOf(row('0002_00000001'), 'store')).toBe('Order')
    expect(types.kindOf(row('0009_1'), 'store')).toBeUndefined()
    expect(types.kindOf(row('0002_00000001'), 'people')).toBe('Customer')
    expect(types.kindOf(row('0002_00000001'), 'other')).toBeUndefined()
    expect(new RowTypes().kindOf(row('0002_00000001'), 'store')).toBeUndefined()
  })

  it('call the rows of all versions by the newest one', () => {
    const keys = { name: 'staff', partitionKey: key`${'team'}`, rowKey: key`id_${'id'}` }
    const base = { team: z.string(), id: z.string() }
    const Before = defineEntity({ ...keys, schema: z.object(base) })
    const Staff = defineEntity({
      ...keys,
      schema: z.object({ ...base, mail: z.string().optional() }),
      version: 2,
      previous: Before,
      migrate: (before) => before,
    })
    const types = new RowTypes({ Before, Staff })
    expect(types.names.map(({ title }) => title)).toEqual(['Staff'])
    const id = { team: 'a', id: '1' }
    expect(types.kindOf(new DynamicEntity('a', 'id_1', id), 'staff')).toBe('Staff')
    const newest = new DynamicEntity('a', 'id_1', { ...id, Version: 2 })
    expect(types.kindOf(newest, 'staff')).toBe('Staff')
  })

  it('must not be missing', () => {
    expect(() => RowTypes.of({ f() {} }, 'models.ts')).toThrow('models.ts exports no model.')
  })
})
