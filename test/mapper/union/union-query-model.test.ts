import { defineEntity, key, union } from '@rowkey/mapper'
import { queryOf } from '@rowkey/query'
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
})
