import {
  DateTime,
  Entity,
  lifetime,
  lifetimeOf,
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
  const [invoice] = await rows.getMany([key])
  const same = async () => {
    const now = await rows.get(key)
    return now.etag === invoice?.etag && now.get('deletedOn') === undefined
  }
  return { account, rows, sent, same, orders: account.table(Order), notes: account.table(Note) }
}

describe('a row of another type', () => {
  it.each(['orders', 'notes'] as const)(
    'is rejected by all calls with its key: %s',
    async (name) => {
      const opened = await store()
      const table = opened[name] as Table<Order>
      await expect(table.get(key)).rejects.toThrow(otherType)
      await expect(table.find(key)).rejects.toThrow(otherType)
      await expect(table.exists(key)).rejects.toThrow(otherType)
      await expect(table.delete(key, { etag: '*' })).rejects.toThrow(otherType)
      await expect(table.deleteIfExists(key, { etag: '*' })).rejects.toThrow(otherType)
      await expect(table.batch().delete(key, { etag: '*' }).submit()).rejects.toThrow(otherType)
      const merged = { customer: 'c1', id: '1' }
      await expect(table.merge(merged, { etag: '*' })).rejects.toThrow(otherType)
      const { failed } = await table.bulk().delete([key], { etag: '*' }).summary()
      expect(failed).toBe(1)
      expect(await opened.same()).toBe(true)
    },
  )

  it('is rejected by calls of a union that name its key by a type', async () => {
    const { account, same } = await store()
    const all = account.table('store', union(Order, Receipt))
    const named = Object.assign(new Order(), { customer: 'c1', id: '1' })
    await expect(all.delete(named, { etag: '*' })).rejects.toThrow(otherType)
    await expect(all.exists(named)).rejects.toThrow(otherType)
    await expect(all.merge(named, { etag: '*' })).rejects.toThrow(otherType)
    expect(await same()).toBe(true)
    expect(await all.exists(key)).toBe(true)
    await all.delete(key, { etag: '*' })
  })

  it('is not erased', async () => {
    const { notes, same } = await store()
    await expect(lifetimeOf(notes).erase(key, { etag: '*' })).rejects.toThrow(otherType)
    expect(await same()).toBe(true)
  })
})

describe('a write of any version', () => {
  it('changes a row of its own type', async () => {
    const { orders, notes, rows } = await store()
    await orders.insert({ customer: 'c1', id: '2' })
    await notes.insert({ customer: 'c1', id: '3' })
    expect(await orders.exists(['c1', '2'])).toBe(true)
    await orders.merge({ customer: 'c1', id: '2', total: 3 }, { etag: '*' })
    expect(await orders.get(['c1', '2'])).toMatchObject({ total: 3 })
    await orders.delete(['c1', '2'], { etag: '*' })
    await notes.delete(['c1', '3'], { etag: '*' })
    expect(await notes.exists(['c1', '3'])).toBe(false)
    expect(await orders.deleteIfExists(['c1', '2'], { etag: '*' })).toBe(false)
    await expect(orders.delete(['c1', '2'], { etag: '*' })).rejects.toThrow(/does not exist/)
    expect(await rows.exists(['c1', '2'])).toBe(false)
    expect(await rows.exists(['c1', '3'])).toBe(true)
  })

  it('is one request for an entity that was read', async () => {
    const { orders, sent } = await store()
    await orders.insert({ customer: 'c1', id: '2' })
    const order = await orders.get(['c1', '2'])
    sent.length = 0
    order.total = 4
    await orders.merge(order, { etag: '*' })
    await orders.delete(order, { etag: '*' })
    expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'DELETE'])
  })
})
