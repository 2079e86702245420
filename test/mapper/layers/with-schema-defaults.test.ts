import { Entity, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import { type Account, connect, defineEntity, key, Operation, union } from 'rowkey'
import * as v from 'valibot'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { freshTable } from '../fresh-account.ts'

const keys = { name: 'orders', partitionKey: key`${'p'}`, rowKey: key`${'r'}` } as const
let count = 0
const Order = defineEntity({
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
const at = Object.freeze({ p: 'a', r: '1' })

async function freshOrders() {
  const account = connect('memory:')
  onTestFinished(() => account.close())
  const orders = account.table(Order)
  await orders.create()
  return { account, orders, rows: account.table('orders') }
}

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

describe('a class with a schema', () => {
  @Entity({
    name: 'people',
    schema: z.object({
      nick: z.string().nullable(),
      state: z.string().default('new'),
      tags: z.array(z.string()).default([]),
      level: z.preprocess((level) => level ?? 5, z.number()),
    }),
  })
  class Person {
    @PartitionKey() team = 'a'
    @RowKey() id = '1'
    nick: string | null = null
    state!: string
    tags!: string[]
    level!: number
    @Property('Double') rating?: number
  }

  it('R-69: reads what it has written: null, defaults, arrays', async () => {
    const { table } = await freshTable(Person)
    const person = Object.assign(new Person(), { tags: ['x'], rating: 2 })
    await table.insert(person)
    const shown = { nick: null, state: 'new', tags: ['x'], level: 5, rating: 2 }
    expect(person).toMatchObject(shown)
    const read = await table.get(['a', '1'])
    expect(read).toBeInstanceOf(Person)
    expect(read).toMatchObject(shown)
  })

  it('shows defaults where nothing is stored', async () => {
    const { table, account } = await freshTable(Person)
    await account.table('people').insert({ partitionKey: 'a', rowKey: '1' })
    expect(await table.get(['a', '1'])).toMatchObject({
      nick: null,
      state: 'new',
      tags: [],
      level: 5,
    })
  })
})

describe('a write that fails', () => {
  it('R-69: leaves the object of the caller as it is', async () => {
    const { orders } = await freshOrders()
    await orders.insert(at)
    const given = { ...at, cfg: { level: '5' } }
    const before = structuredClone(given)
    await expect(orders.insert(given as never)).rejects.toThrow()
    expect(given).toEqual(before)
    expect(() => orders.batch().insert(given as never)).not.toThrow()
    expect(given).toEqual(before)
    await orders.insertOrReplace(given as never)
    expect(given).toMatchObject({ state: 'open', cfg: { level: 5, retries: 3 } })
  })

  it('leaves a change alone that the caller makes while it is sent', async () => {
    const { orders } = await freshOrders()
    const given: { p: string; r: string; state?: 'sent'; note?: string } = { ...at }
    const written = orders.insert(given)
    given.state = 'sent'
    await written
    expect(given.state).toBe('sent')
  })
})
