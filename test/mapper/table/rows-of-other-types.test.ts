import {
  DateTime,
  Entity,
  lifetime,
  PartitionKey,
  Property,
  RowKey,
  type Table,
  union,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { freshAccount } from '../fresh-account.ts'

@Entity({ name: 'store', discriminator: { EntityType: 'Order' } })
class Order {
  @PartitionKey() customer!: string
  @RowKey() id!: string
  @Property('Int32') total?: number
}

@Entity({
  name: 'store',
  discriminator: { EntityType: 'Note' },
  lifetime: lifetime({ deletedAt: 'deletedOn' }),
})
class Note {
  @PartitionKey() customer!: string
  @RowKey() id!: string
  @DateTime() deletedOn?: Date
}

@Entity({ name: 'store', discriminator: { EntityType: 'Receipt' } })
class Receipt {
  @PartitionKey() customer!: string
  @RowKey() id!: string
}

const key = ['c1', '1'] as const
const otherType = expect.objectContaining({ name: 'DecodeError', code: 'UnknownType' })

/** A table with a row of another type than both classes. */
async function store() {
  const { account, sent } = freshAccount()
  const rows = account.table('store')
  await rows.create()
  await rows.insert(new DynamicEntity(...key, { EntityType: 'Invoice', total: 5 }))
  return { account, sent, orders: account.table(Order), notes: account.table(Note) }
}

describe('a row of another type', () => {
  it.each(['orders', 'notes'] as const)('is rejected by all reads of its key: %s', async (name) => {
    const opened = await store()
    const table = opened[name] as Table<Order>
    await expect(table.get(key)).rejects.toThrow(otherType)
    await expect(table.find(key)).rejects.toThrow(otherType)
    await expect(table.exists(key)).rejects.toThrow(otherType)
  })

  it('is rejected by exists of a union that names its key by a type', async () => {
    const { account } = await store()
    const all = account.table('store', union(Order, Receipt))
    const named = Object.assign(new Order(), { customer: 'c1', id: '1' })
    await expect(all.exists(named)).rejects.toThrow(otherType)
    expect(await all.exists(key)).toBe(true)
  })
})

describe('an unconditional write', () => {
  it('is one request, whatever row has its key', async () => {
    const { orders, sent } = await store()
    sent.length = 0
    await orders.merge({ customer: 'c1', id: '1', total: 3 }, { etag: '*' })
    await orders.delete(key, { etag: '*' })
    expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'DELETE'])
  })
})
