import { connect, defineEntity, key } from 'rowkey'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** The keys and the table of orders. */
export const keys = { name: 'orders', partitionKey: key`${'p'}`, rowKey: key`${'r'}` } as const

let count = 0

/** Orders whose values have defaults, also of values within. */
export const Order = defineEntity({
  ...keys,
  rowKey: key`o_${'r'}`,
  schema: z.object({
    p: z.string(),
    r: z.string(),
    state: z.enum(['open', 'sent']).default('open'),
    no: z.number().default(() => ++count),
    note: z.string().optional(),
    cfg: z
      .object({
        retries: z.number().default(3),
        id: z.string().default(() => `made ${++count}`),
        level: z.coerce.number().optional(),
        size: z.number().catch(0),
      })
      .optional(),
  }),
})

/** The key of an order. */
export const at = Object.freeze({ p: 'a', r: '1' })

/** Opens an empty table of orders. */
export async function freshOrders() {
  const account = connect('memory:')
  onTestFinished(() => account.close())
  const orders = account.table(Order)
  await orders.create()
  return { account, orders, rows: account.table('orders') }
}
