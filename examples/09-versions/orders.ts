import { defineEntity, key } from 'rowkey'
import { z } from 'zod'

const keys = { partitionKey: key`${'customerId'}`, rowKey: key`${'orderNo:8'}` }
const parts = { customerId: z.string(), orderNo: z.number().int() }

/** Last year's orders. The total is text, such as `19.50 EUR`. */
export const OldOrder = defineEntity({
  name: 'orders',
  ...keys,
  schema: z.object({ ...parts, total: z.string() }),
})

/** This year's orders, with an amount and a currency. */
export const Order = defineEntity({
  name: 'orders',
  ...keys,
  schema: z.object({ ...parts, amount: z.number(), currency: z.string(), paid: z.boolean() }),
  version: 2,
  previous: OldOrder,
  migrate: ({ customerId, orderNo, total }) => {
    const [amount = '0', currency = 'EUR'] = total.split(' ')
    return { customerId, orderNo, amount: Number(amount), currency, paid: false }
  },
})
