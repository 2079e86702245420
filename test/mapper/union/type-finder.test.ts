import { defineEntity, key, ModelError, UnknownTypeError, union } from '@rowkey/mapper'
import { checkEntityKey, DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { codecOf } from '../../../packages/mapper/src/layers/codec-of.ts'
import { TypeFinder } from '../../../packages/mapper/src/union/type-finder.ts'
import { Customer, customer, Order, Refund } from './store.ts'

const finder = new TypeFinder(union(Customer, Order, Refund), checkEntityKey)
const unknown = { PartitionKey: 'c1', RowKey: '0009_x' }

describe('TypeFinder', () => {
  it('refuses rows of other types, and names the row and what is known', () => {
    expect(() => finder.ofRow(unknown)).toThrow(UnknownTypeError)
    expect(() => finder.ofRow(unknown)).toThrow(
      'The row ["c1","0009_x"] is of none of the types that are known here: Customer (RowKey 0001_…), orders (RowKey 0002_…)',
    )
  })

  it('reads rows of other types as they are when asked to', () => {
    const types = union(Customer, { unknown: 'dynamic' })
    const lenient = new TypeFinder(types, checkEntityKey)
    expect(lenient.ofRow(unknown).read(unknown)).toBeInstanceOf(DynamicEntity)
    expect(lenient.find(new DynamicEntity('c1', 'x'))).toBeDefined()
    expect(finder.find(new DynamicEntity('c1', 'x'))).toBeUndefined()
  })

  it('knows the instances of a subclass by the nearest class', () => {
    class Big extends Customer {}
    const codec = finder.find(new Big())
    expect(codec).toBe(finder.find(customer('c1', 'x')))
  })

  it('knows a plain object by the row that it was read from, whatever became of it', () => {
    const order = codecOf(Order).read({ PartitionKey: 'c1', RowKey: '0002_00000001', status: 'x' })
    Object.assign(order, { total: 'no number', refundNo: 1 })
    expect(finder.find(order)).toBe(
      finder.find(codecOf(Order).read({ PartitionKey: 'c', RowKey: '0002_00000002', status: 'x' })),
    )
  })

  it('refuses objects that no type takes, or more than one', () => {
    expect(() => finder.ofEntity({ customerId: 'c1' })).toThrow(
      'Customer | orders | refunds: An object of { customerId } is an entity of none of these types.',
    )
    expect(() => finder.ofEntity(null as never)).toThrow(ModelError)
    const schema = z.object({ id: z.string() })
    const A = defineEntity({ name: 'aaa', partitionKey: key`a`, rowKey: key`${'id'}`, schema })
    const B = defineEntity({ name: 'bbb', partitionKey: key`b`, rowKey: key`${'id'}`, schema })
    const alike = new TypeFinder(union(A, B), checkEntityKey)
    expect(() => alike.ofKey({ id: 'x' })).toThrow('could be of more than one of these types')
  })
})
