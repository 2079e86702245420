import {
  type Account,
  defineEntity,
  Entity,
  key,
  Operation,
  type Table,
  union,
} from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

@Entity({ name: 'store', partitionKey: key`${'customerId'}`, rowKey: key`0001_${'email'}` })
class Customer {
  customerId = ''
  email = ''
  greet(): string {
    return this.email
  }
}

const Order = defineEntity({
  name: 'orders',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0002_${'orderNo:8'}`,
  schema: z.object({
    customerId: z.string(),
    orderNo: z.number().int(),
    status: z.string().default('open'),
  }),
})

class Stone {
  weight = 1
}

interface OrderRow {
  customerId: string
  orderNo: number
  status: string
}

declare const account: Account

describe('union', () => {
  const store = account.table('store', union(Customer, Order))

  it('returns entities of all its types', async () => {
    const row = await store.get(['c1', 'x'])
    if (row instanceof Customer) expectTypeOf(row.greet()).toBeString()
    else expectTypeOf(row).toExtend<OrderRow>()
  })

  it('accepts the entities and keys of each of its types', () => {
    void store.insert({ customerId: 'c1', orderNo: 1 })
    void store.get({ customerId: 'c1', orderNo: 1 })
    // @ts-expect-error an order has a number
    void store.insert({ customerId: 'c1', orderNo: 'one' })
  })

  it('queries the properties that all types have', () => {
    store.query().where({ customerId: 'c1' })
    // @ts-expect-error customers have no status
    store.query().where({ status: 'open' })
  })

  it('becomes the table of one type by ofType', () => {
    expectTypeOf(store.ofType(Customer)).toExtend<Table<Customer>>()
    store.ofType(Order).query().where({ status: 'open' })
    // @ts-expect-error Date is not a type of this union
    store.ofType(Date)
  })

  it('accepts the type before the entity in batches and operations', async () => {
    store.batch().insert(Order, { customerId: 'c1', orderNo: 1 }).insert(Customer, new Customer())
    store.batch().merge(Order, { customerId: 'c1', orderNo: 1, status: 'x' }, { etag: '*' })
    store.batch().delete(Order, { customerId: 'c1', orderNo: 1 }, { etag: '*' })
    // @ts-expect-error an order has a number
    store.batch().insert(Order, { customerId: 'c1' })
    // @ts-expect-error Date is not a type of the union
    store.batch().insert(Date, new Date())
    // @ts-expect-error the table has one type, so batches take none
    account.table(Order).batch().insert(Order, { customerId: 'c1', orderNo: 1 })

    const insert = Operation.insert(Order, { customerId: 'c1', orderNo: 1 })
    expectTypeOf((await store.execute(insert)).entity.orderNo).toBeNumber()
    const [, found] = await store.execute([
      insert,
      Operation.retrieve(Customer, { customerId: 'c1', email: 'e' }),
    ])
    expectTypeOf(found.entity).toEqualTypeOf<Customer | undefined>()
    // @ts-expect-error an order has a number
    Operation.insert(Order, { customerId: 'c1' })
    // @ts-expect-error Stone is not a type of the union
    void store.execute(Operation.insert(Stone, new Stone()))
    // @ts-expect-error the table has one type, so operations take none
    void account.table(Order).execute(insert)
  })

  it('returns rows of other types unchanged when asked to', async () => {
    const all = account.table('store', union(Customer, Order, { unknown: 'dynamic' }))
    const row = await all.get(['c1', 'x'])
    expectTypeOf<DynamicEntity>().toExtend<typeof row>()
    expectTypeOf<DynamicEntity>().not.toExtend<Awaited<ReturnType<typeof store.find>>>()
    // @ts-expect-error unknown must be 'reject' or 'dynamic'
    union(Customer, Order, { unknown: 'ignore' })
  })
})

describe('migrate', () => {
  it('receives an entity of the previous version, and returns one of this version', () => {
    const keys = { name: 'orders', partitionKey: key`${'customerId'}`, rowKey: key`${'orderNo:8'}` }
    const schema = z.object({ customerId: z.string(), orderNo: z.number(), total: z.number() })
    defineEntity({
      ...keys,
      schema,
      version: 2,
      previous: Order,
      migrate: (order) => {
        expectTypeOf(order).toExtend<OrderRow>()
        return { ...order, total: 1 }
      },
    })
    defineEntity({
      ...keys,
      schema,
      version: 2,
      previous: Order,
      // @ts-expect-error the total is missing
      migrate: ({ customerId, orderNo }) => ({ customerId, orderNo }),
    })
  })
})
