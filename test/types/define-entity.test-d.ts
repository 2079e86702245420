import {
  type Account,
  defineEntity,
  Entity,
  type EntityOf,
  type InputOf,
  key,
  PartitionKey,
  RowKey,
} from '@rowkey/mapper'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const schema = z.object({
  customerId: z.string(),
  orderNo: z.number().int(),
  total: z.number(),
  lines: z.int32().default(1),
  note: z.string().optional(),
  state: z.enum(['open', 'sent']),
})

const Order = defineEntity({
  name: 'orders',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0002_${'orderNo:8'}`,
  schema,
  etag: 'etag',
  storeAs: { total: 't' },
})

@Entity('people')
class Person {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
}

declare const account: Account
const orders = account.table(Order)

interface StoredOrder {
  customerId: string
  orderNo: number
  total: number
  lines: number
  note?: string | undefined
  state: 'open' | 'sent'
  etag?: string
}

describe('defineEntity', () => {
  it('infers the type of an entity that is read', async () => {
    const order = await orders.get({ customerId: 'c1', orderNo: 7 })
    expectTypeOf(order).toExtend<StoredOrder>()
    expectTypeOf<StoredOrder>().toExtend<typeof order>()
    expectTypeOf(await orders.find(['c1', 'r'])).toEqualTypeOf<typeof order | undefined>()
  })

  it('EntityOf and its neighbours name the inferred types', async () => {
    expectTypeOf<EntityOf<typeof Order>>().toEqualTypeOf<
      Awaited<ReturnType<typeof orders.insert>>
    >()
    expectTypeOf<InputOf<typeof Order>['lines']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<EntityOf<string>>().toEqualTypeOf<never>()
  })

  it('infers the type of an entity that is written', async () => {
    const order = { customerId: 'c1', orderNo: 7, total: 1, state: 'open' as const }
    expectTypeOf((await orders.insert(order)).lines).toEqualTypeOf<number>()
    expectTypeOf((await orders.insertOrReplace(order)).lines).toEqualTypeOf<number>()
    orders.batch().insert(order).insertOrMerge(order).delete({ customerId: 'c1', orderNo: 7 })
    // @ts-expect-error the total is missing
    void orders.insert({ customerId: 'c1', orderNo: 7, state: 'open' })
    // @ts-expect-error unknown state
    void orders.insert({ ...order, state: 'lost' })
  })

  it('infers the parts of the key', () => {
    expectTypeOf(orders.get).toBeCallableWith(['c1', '0002_00000007'])
    expectTypeOf(orders.delete).toBeCallableWith({ customerId: 'c1', orderNo: 7 }, { etag: '*' })
    // @ts-expect-error a part is missing
    void orders.get({ customerId: 'c1' })
    // @ts-expect-error the order number is a number
    void orders.get({ customerId: 'c1', orderNo: '7' })
    // @ts-expect-error unknown key part
    void orders.get({ customerId: 'c1', orderNo: 7, total: 1 })
  })

  it('infers the properties that a condition may use', () => {
    const query = orders.query().where({ customerId: 'c1', state: 'open' })
    void query.where((o) => o.orderNo.gt(7))
    // @ts-expect-error unknown state
    void query.where({ state: 'lost' })
    // @ts-expect-error unknown property
    void query.where({ totl: 1 })
  })

  it('rejects keys that the schema cannot make', () => {
    const rowKey = key`r`
    const good = { name: 'orders', schema, rowKey }
    // @ts-expect-error unknown property
    void defineEntity({ ...good, partitionKey: key`${'custmerId'}` })
    // @ts-expect-error the order number is not text
    void defineEntity({ ...good, partitionKey: key`${'orderNo'}` })
    // @ts-expect-error a key needs the note, and it may be missing
    void defineEntity({ ...good, partitionKey: key`${'note'}` })
    // @ts-expect-error what has a default may be missing when it is written
    void defineEntity({ ...good, partitionKey: key`${'lines:8'}` })
    // @ts-expect-error unknown property
    void defineEntity({ ...good, partitionKey: key`p`, storeAs: { totl: 't' } })
    void defineEntity({ ...good, partitionKey: key`${'state'}` })
  })
})

describe('a class', () => {
  it('is read and deleted by the properties of its key too', () => {
    const people = account.table(Person)
    expectTypeOf(
      people.get({ lastName: 'Smith', firstName: 'Jeff' }),
    ).resolves.toEqualTypeOf<Person>()
    // @ts-expect-error unknown property
    void people.get({ lastNam: 'Smith', firstName: 'Jeff' })
  })
})
