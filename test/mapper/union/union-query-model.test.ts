import { type Converter, converted, defineEntity, key, union } from '@rowkey/mapper'
import { enumText } from '@rowkey/mapper/other-clients'
import { gt, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unionQueryModel } from '../../../packages/mapper/src/union/union-query-model.ts'
import { Customer, Order } from './store.ts'

describe('unionQueryModel', () => {
  it('has the properties that all types have and store in the same way', () => {
    const model = unionQueryModel(union(Order, Customer))
    // total is a Double in one and whatever it holds in the other.
    expect(model.properties).toEqual(['customerId'])
    expect(model.column('customerId')?.name).toBe('PartitionKey')
    expect(() => queryOf(model).select('orderNo' as never)).toThrow(
      "orders | Customer does not store a property 'orderNo'",
    )
  })

  it('queries the parts of a key that all types share', () => {
    const schema = z.object({ state: z.string(), city: z.string(), id: z.string() })
    const partitionKey = key`${'state'};${'city'}`
    const A = defineEntity({ name: 'aaa', partitionKey, rowKey: key`a_${'id'}`, schema })
    const B = defineEntity({ name: 'bbb', partitionKey, rowKey: key`b_${'id'}`, schema })
    const model = unionQueryModel(union(A, B))
    expect(model.properties).toEqual(['state', 'city'])
    const where = { state: 'WA', city: 'Seattle' } as never
    expect(queryOf(model).where(where).compile().filter).toBe("PartitionKey eq 'WA;Seattle'")
  })

  it('rejects a value that the converters of its types store in different ways', () => {
    const cents: Converter<number, number> = {
      type: 'Int32',
      comparable: true,
      toStored: (value) => value * 100,
      fromStored: (stored) => stored / 100,
    }
    const colour = () => converted(enumText({ Red: 1, Blue: 2 }))
    const schema = z.object({ shop: z.string(), id: z.string(), price: z.int32(), colour: z.int() })
    const partitionKey = key`${'shop'}`
    const A = defineEntity({
      name: 'aaa',
      partitionKey,
      rowKey: key`a_${'id'}`,
      schema,
      columns: { price: converted(cents), colour: colour() },
    })
    const B = defineEntity({
      name: 'bbb',
      partitionKey,
      rowKey: key`b_${'id'}`,
      schema,
      columns: { colour: colour() },
    })
    for (const types of [union(A, B), union(B, A)]) {
      const query = queryOf(unionQueryModel(types))
      const where = (match: object) => query.where(match as never)
      expect(() => where({ price: 5 })).toThrow(
        expect.objectContaining({ name: 'InputError', code: 'InvalidQuery' }),
      )
      expect(() => where({ price: gt(5) })).toThrow(/\.price: its types store .* ofType/)
      expect(where({ price: 0 }).compile().filter).toBe('price eq 0')
      expect(where({ colour: 2 }).compile().filter).toBe("colour eq 'Blue'")
      expect(query.select('price' as never).compile().select).toContain('price')
    }
  })
})
