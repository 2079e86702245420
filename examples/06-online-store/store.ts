import { defineEntity, key } from 'rowkey'
import { z } from 'zod'

/** A customer is the first row of its partition. */
export const Customer = defineEntity({
  name: 'customers',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0001_${'customerId'}`,
  schema: z.object({ customerId: z.string(), name: z.string() }),
})

/** The customer's orders follow, in the order of their numbers. */
export const Order = defineEntity({
  name: 'orders',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0002_${'orderNo:8'}`,
  schema: z.object({
    customerId: z.string(),
    orderNo: z.number().int(),
    total: z.number(),
    status: z.string().default('open'),
  }),
})
