import { ModelError, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import {
  declaredNamesIn,
  marksOf,
  toDiscriminator,
} from '../../../packages/mapper/src/model/marks-of.ts'
import { Customer } from '../customer.ts'
import { OrderV1, OrderV3 } from '../versions/orders.ts'

describe('marksOf', () => {
  it('is the stored type and version', () => {
    const discriminator = { property: 'EntityType', value: 'Order' }
    const version = { property: 'Version', number: 2 }
    expect(marksOf({ discriminator, version })).toEqual([
      { name: 'EntityType', type: 'String', value: 'Order' },
      { name: 'Version', type: 'Int32', value: 2 },
    ])
  })

  it('is nothing for most models', () => {
    expect(marksOf(modelOf(Customer))).toEqual([])
  })
})

describe('declaredNamesIn', () => {
  it('are the names that a model and all versions before store beside their keys', () => {
    expect(declaredNamesIn({}, modelOf(OrderV1))).toEqual(['total', 'note', 'status'])
    expect([...new Set(declaredNamesIn({}, OrderV3))].sort()).toEqual([
      ...['Version', 'amount', 'currency', 'note', 'status', 'total'],
    ])
  })
})

describe('toDiscriminator', () => {
  it('is one property and its text', () => {
    const mark = { EntityType: 'Order' }
    expect(toDiscriminator('Order', mark)).toEqual({ property: 'EntityType', value: 'Order' })
    expect(toDiscriminator('Order', undefined)).toBeUndefined()
  })

  it.each([
    {},
    { A: 'x', B: 'y' },
    { A: '' },
    { A: 1 },
    { 'a b': 'x' },
    { RowKey: 'x' },
    null,
    'Order',
  ])('rejects %o', (given) => {
    expect(() => toDiscriminator('Order', given as never)).toThrow(ModelError)
    expect(() => toDiscriminator('Order', given as never)).toThrow("{ EntityType: 'Order' }")
  })
})
