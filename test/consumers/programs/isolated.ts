// `isolatedDeclarations`: every export has an explicit type.
import { connect, defineEntity, type EntityModel, key } from 'rowkey'
import { z } from 'zod'

const OrderSchema = z.object({ customerId: z.string(), orderNo: z.int(), total: z.number() })

export interface Order {
  customerId: string
  orderNo: number
  total: number
}
export const Order: EntityModel<Order, Order, { customerId: string; orderNo: number }> =
  defineEntity({
    name: 'orders',
    partitionKey: key`${'customerId'}`,
    rowKey: key`${'orderNo:8'}`,
    schema: OrderSchema,
  })

const account = connect('memory:')
const orders = account.table(Order)
await orders.create()
await orders.insert({ customerId: 'c1', orderNo: 7, total: 9.5 })
const { total } = await orders.get({ customerId: 'c1', orderNo: 7 })
await account.close()
if (total !== 9.5) throw new Error(String(total))
