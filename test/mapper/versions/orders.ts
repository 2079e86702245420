import { defineEntity, Entity, key, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import { z } from 'zod'

/** Orders before they had versions: the total is text. */
@Entity('orders')
export class OrderV1 {
  @PartitionKey() customer!: string
  @RowKey() orderNo!: string
  @Property() total?: string
  @Property() note?: string
  @Property() status?: string
}

/** Orders whose total is a number, and which have lost their note. */
@Entity({
  name: 'orders',
  version: 2,
  previous: OrderV1,
  migrate: ({ customer, orderNo, total, status }) =>
    Object.assign(new OrderV2(), { customer, orderNo, amount: Number(total), status }),
})
export class OrderV2 {
  @PartitionKey() customer!: string
  @RowKey() orderNo!: string
  @Property('Double') amount?: number
  @Property() status?: string
}

/** Orders as plain objects, by a schema; an order without a status has none any more. */
export const OrderV3 = defineEntity({
  name: 'orders',
  partitionKey: key`${'customer'}`,
  rowKey: key`${'orderNo'}`,
  schema: z.object({
    customer: z.string(),
    orderNo: z.string(),
    amount: z.number(),
    currency: z.string().default('EUR'),
    status: z.string().optional(),
  }),
  version: 3,
  previous: OrderV2,
  migrate: ({ customer, orderNo, amount = 0 }) => ({ customer, orderNo, amount }),
})

/** An order of the first version, with a property that no version declares. */
export const storedV1 = {
  PartitionKey: 'c1',
  RowKey: '7',
  total: '9.5',
  note: 'gift',
  extra: 'kept',
}
