import { type Account, connect, defineEntity, key, Operation, union } from 'rowkey'
import * as v from 'valibot'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { at, freshOrders, keys, Order } from '../orders-with-defaults.ts'

let count = 0

async function storedIn(account: Account): Promise<Record<string, unknown>> {
  const { properties } = await account.table('orders').get(['a', 'o_1'])
  return Object.fromEntries([...properties].map(([name, { value }]) => [name, value]))
}

describe('the defaults of a schema', () => {
  it('are stored by an insert, a replace and an insertOrReplace', async () => {
    const { account, orders } = await freshOrders()
    const first = await orders.insert(at)
    expect(first).toMatchObject({ state: 'open', no: expect.any(Number) })
    expect(await storedIn(account)).toEqual({ state: 'open', no: first.no })
    const second = await orders.insertOrReplace({ ...at, note: 'x' })
    expect(await storedIn(account)).toEqual({ state: 'open', no: second.no, note: 'x' })
    await orders.replace({ ...at, state: 'sent' }, { etag: '*' })
    expect(await storedIn(account)).toMatchObject({ state: 'sent', no: expect.any(Number) })
  })

  it.each<[string, (account: Account) => Promise<unknown>]>([
    ['insertOrMerge', (account) => account.table(Order).insertOrMerge({ ...at, note: 'x' })],
    [
      'a batch',
      (account) =>
        account
          .table(Order)
          .batch()
          .insertOrMerge({ ...at, note: 'x' })
          .submit(),
    ],
    [
      'an operation',
      (account) => account.table(Order).execute(Operation.insertOrMerge({ ...at, note: 'x' })),
    ],
    [
      'a list of operations',
      (account) => account.table(Order).execute([Operation.insertOrMerge({ ...at, note: 'x' })]),
    ],
    [
      'a bulk write',
      async (account) =>
        await account
          .table(Order)
          .bulk()
          .insertOrMerge([{ ...at, note: 'x' }]),
    ],
    [
      'a union',
      (account) => account.table('orders', union(Order, Mark)).insertOrMerge({ ...at, note: 'x' }),
    ],
    [
      'a type of a union',
      (account) =>
        account
          .table('orders', union(Order, Mark))
          .ofType(Order)
          .insertOrMerge({ ...at, note: 'x' }),
    ],
    [
      'a merge',
      (account) => account.table(Order).merge({ ...at, note: 'x' } as never, { etag: '*' }),
    ],
  ])('R-69: are not sent to a stored row by %s', async (_, write) => {
    const { account, orders } = await freshOrders()
    await orders.insert({ ...at, state: 'sent', no: -1 })
    await write(account)
    expect(await storedIn(account)).toEqual({ state: 'sent', no: -1, note: 'x' })
  })

  it('are not shown by an object that was merged into a row', async () => {
    const { orders } = await freshOrders()
    await orders.insert({ ...at, state: 'sent' })
    expect(await orders.insertOrMerge({ ...at, note: ' x' })).not.toHaveProperty('state')
  })

  it('are shown by every read, also inside JSON, and not stored by a write of something else', async () => {
    const { account, orders, rows } = await freshOrders()
    await rows.insert({ partitionKey: 'a', rowKey: 'o_1', cfg: '{"level":"7","size":"big"}' })
    const shown = { state: 'open', cfg: { retries: 3, level: 7, size: 0 } }
    const read = await orders.get(at)
    expect(read).toMatchObject(shown)
    const many = await orders.query().where({ p: 'a' }).toArray()
    expect([many[0], await orders.find(at), (await orders.getMany([at]))[0]]).toEqual([
      read,
      read,
      read,
    ])
    await orders.merge(read)
    await orders.insertOrMerge(read)
    await orders.modify(at, (order) => {
      order.note = 'x'
    })
    expect(await storedIn(account)).toEqual({ cfg: '{"level":"7","size":"big"}', note: 'x' })
    read.state = 'sent'
    await orders.merge(read, { etag: '*' })
    expect((await storedIn(account)).state).toBe('sent')
  })

  it('that are made anew each time are never invented by a read', async () => {
    const { orders, rows } = await freshOrders()
    await rows.insert({ partitionKey: 'a', rowKey: 'o_1', cfg: '{"size":1}' })
    const read = await orders.get(at)
    expect(read.no).toBeUndefined()
    expect(read.cfg).toEqual({ retries: 3, size: 1 })
    await orders.replace(read)
    const made = await orders.get(at)
    expect([made.no, made.cfg?.id]).toEqual([read.no, read.cfg?.id])
    expect(await orders.get(at)).toEqual(made)
  })

  it('are shown in the same way by valibot', async () => {
    const account = connect('memory:')
    onTestFinished(() => account.close())
    const schema = v.object({
      p: v.string(),
      r: v.string(),
      state: v.optional(v.string(), 'open'),
      no: v.optional(v.number(), () => ++count),
      cfg: v.optional(v.object({ retries: v.optional(v.number(), 3) }), {}),
    })
    const orders = account.table(defineEntity({ ...keys, schema }))
    await orders.create()
    await account.table('orders').insert({ partitionKey: 'a', rowKey: '1' })
    expect(await orders.get(at)).toEqual({ ...at, state: 'open', cfg: { retries: 3 } })
  })
})

describe('a default that is an object', () => {
  // https://github.com/colinhacks/zod/issues/5764
  it('gets the defaults of its own members, when it is written and when it is read', async () => {
    const account = connect('memory:')
    onTestFinished(() => account.close())
    const inner = z.object({
      retries: z.number().default(3),
      id: z.string().default(() => `${++count}`),
    })
    const schema = z.object({
      p: z.string(),
      r: z.string(),
      cfg: inner.default({} as never),
      more: z.object({ cfg: inner.default({} as never) }).optional(),
    })
    const orders = account.table(defineEntity({ ...keys, schema }))
    await orders.create()
    const written = await orders.insert({ ...at, more: {} })
    expect(written).toMatchObject({ cfg: { retries: 3 }, more: { cfg: { retries: 3 } } })
    expect(await orders.get(at)).toEqual(written)
    await account.table('orders').insert({ partitionKey: 'a', rowKey: '2', more: '{}' })
    const old = await orders.get({ p: 'a', r: '2' })
    expect(old).toMatchObject({ cfg: { retries: 3 }, more: { cfg: { retries: 3 } } })
    expect([old.cfg.id, old.more?.cfg.id]).toEqual([undefined, undefined])
  })
})

const Mark = defineEntity({
  name: 'orders',
  partitionKey: key`${'p'}`,
  rowKey: key`mark_${'r'}`,
  schema: z.object({ p: z.string(), r: z.string(), mark: z.boolean() }),
})
