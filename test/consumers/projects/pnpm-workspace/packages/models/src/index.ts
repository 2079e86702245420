import {
  anyOf,
  between,
  defineEntity,
  Entity,
  filter,
  gt,
  key,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
  union,
} from 'rowkey'
import { z } from 'zod'

@Entity('people')
export class Person {
  @PartitionKey() team!: string
  @RowKey() id!: string
  @Property('Int64') points?: bigint
  @Property() mail?: string
}

export const byTeam = key`${'team'}`
export const byNumber = key`order_${'no:8'}`
export const Order = defineEntity({
  name: 'orders',
  partitionKey: key`${'customer'}`,
  rowKey: byNumber,
  schema: z.object({
    customer: z.string(),
    no: z.number().int(),
    total: z.number(),
    notes: z.object({ text: z.string() }).optional(),
  }),
})
export const personModel = modelOf(Person)
export const everything = union(Person, Order)
export const [high, some, range] = [gt(100n), anyOf(['a', 'b']), between(1, 2)]
export const lateOrders = filter`total gt ${100}`
