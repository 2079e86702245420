import { defineEntity, key } from 'rowkey'
import { z } from 'zod'

/** A customer: the first row of its partition. */
export const Customer = defineEntity({
  name: 'customers',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0001_${'customerId'}`,
  schema: z.object({ customerId: z.string(), name: z.string() }),
})

/** An order: it follows its customer, ordered by number. */
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
