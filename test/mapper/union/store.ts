import { defineEntity, Entity, type EntityOf, key } from '@rowkey/mapper'
import { z } from 'zod'

/** An online store: a class for customers, and schemas for what they order and return. */
@Entity({ name: 'store', partitionKey: key`${'customerId'}`, rowKey: key`0001_${'customerId'}` })
export class Customer {
  customerId = ''
  total?: number
  email?: string

  greet(): string {
    return `Hello ${this.email}`
  }
}

export const Order = defineEntity({
  name: 'orders',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0002_${'orderNo:8'}`,
  schema: z.object({
    customerId: z.string(),
    orderNo: z.number().int(),
    total: z.number().optional(),
    status: z.string().default('open'),
  }),
  etag: 'etag',
})

export const Refund = defineEntity({
  name: 'refunds',
  partitionKey: key`${'customerId'}`,
  rowKey: key`0003_${'refundNo:8'}`,
  schema: z.object({ customerId: z.string(), refundNo: z.number().int(), reason: z.string() }),
})

/** A new customer. */
export function customer(customerId: string, email: string): Customer {
  return Object.assign(new Customer(), { customerId, email })
}

const directoryKey = { name: 'directory', partitionKey: key`${'id'}`, rowKey: key`self` }
const directorySchema = z.object({ id: z.string(), label: z.string().optional() })

/** Two types of the same members, which only their discriminators tell apart. */
export const User = defineEntity({
  ...directoryKey,
  schema: directorySchema,
  discriminator: { EntityType: 'User' },
})

/** See {@link User}. */
export const Group = defineEntity({
  ...directoryKey,
  schema: directorySchema.extend({ size: z.int32().optional() }),
  discriminator: { EntityType: 'Group' },
})

/** An order as it is read. */
export type Order = EntityOf<typeof Order>
