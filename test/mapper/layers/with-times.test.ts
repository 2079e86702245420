import { localTableService } from '@rowkey/local'
import {
  Account,
  DateTime,
  defineEntity,
  Entity,
  fromPlain,
  key,
  lifetime,
  Operation,
  PartitionKey,
  Property,
  RowKey,
  signingKeys,
  type Table,
  union,
} from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { type HttpRequest, noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const START = Date.parse('2026-11-22T09:00:00Z')
const MINUTE = 60_000

const times = { createdAt: 'createdAt', updatedAt: 'changedAt' } as const
const keys = { partitionKey: key`${'p'}`, rowKey: key`o_${'r'}` } as const
const schema = z.object({
  p: z.string(),
  r: z.string(),
  note: z.string().optional(),
  state: z.string().default('open'),
  createdAt: z.date().optional(),
  changedAt: z.date().optional(),
})
const Order = defineEntity({ name: 'orders', ...keys, schema, ...times })

@Entity({ name: 'orders', ...times })
class Task {
  @PartitionKey() p = ''
  @RowKey() r = ''
  @Property('String') note?: string
  @DateTime() createdAt?: Date
  @DateTime() changedAt?: Date
}

const Event = defineEntity({
  name: 'orders',
  partitionKey: key`${'p'}`,
  rowKey: key`e_${'r'}`,
  schema: z.object({ p: z.string(), r: z.string(), at: z.date().optional() }),
  createdAt: 'at',
})

/** An account whose clock stands still until `now` is set; the service has another one. */
function world() {
  const clock = { now: START, step: 0 }
  const sent: HttpRequest[] = []
  const { transport, connectionString } = localTableService({ now: () => START })
  const recording: Transport = async (request, limits) => {
    sent.push(request)
    return transport(request, limits)
  }
  const service = tableService({
    connectionString: connectionString(),
    transport: recording,
    retry: noRetry,
    now: () => {
      clock.now += clock.step
      return clock.now
    },
    sleep: async () => {},
  })
  const account = new Account(service)
  /** The stored times in minutes after the start. */
  const stored = async (r = 'o_1', createdAt = 'createdAt', changedAt = 'changedAt') => {
    const row = await account.table('orders').find(['a', r])
    const minute = (name: string) => {
      const time = row?.get(name)?.as('DateTime')
      return time && (Number(time) - START) / MINUTE
    }
    return row && [minute(createdAt), minute(changedAt)]
  }
  const at = (minute: number) => {
    clock.now = START + minute * MINUTE
    sent.length = 0
  }
  /** From now on, each look at the clock shows a later time. */
  const tick = () => {
    clock.step = 1
  }
  return { account, sent, stored, at, tick }
}

const row = () => ({ p: 'a', r: '1' })
const FORGED = new Date('2001-01-01')

describe.each<[string, (account: Account) => Table<Task, object>, (given: object) => Task, string]>(
  [
    [
      'a model',
      (account) => account.table(Order) as unknown as Table<Task, object>,
      (given) => ({ ...row(), ...given }) as Task,
      'o_1',
    ],
    [
      'a class',
      (account) => account.table(Task),
      (given) => Object.assign(new Task(), row(), given),
      '1',
    ],
  ],
)('the times of %s', (_kind, open, make, rowKey) => {
  async function opened() {
    const all = world()
    const table = open(all.account)
    await table.create()
    const stored = () => all.stored(rowKey)
    all.at(0)
    return { ...all, table, stored }
  }

  it('are set by an insert, whatever the caller gives, and shown by the object', async () => {
    const { table, stored, sent } = await opened()
    const task = make({ createdAt: FORGED, changedAt: FORGED })
    const written = (await table.insert(task)) as Task
    expect(await stored()).toEqual([0, 0])
    expect([written.createdAt, written.changedAt].map(Number)).toEqual([START, START])
    expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(1) // of the test
  })

  it('are left to the caller when the insert fails', async () => {
    const { table } = await opened()
    await table.insert(make({}))
    const second = make({ createdAt: FORGED })
    await expect(table.insert(second)).rejects.toMatchObject({ status: 409 })
    expect(second.createdAt).toBe(FORGED)
    expect(second.changedAt).toBeUndefined()
  })

  it('merge and replace renew updatedAt without a read, and never createdAt', async () => {
    const { table, stored, sent, at } = await opened()
    const task = (await table.insert(make({}))) as Task
    at(1)
    task.note = 'a'
    task.createdAt = FORGED
    await table.merge(task)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
    expect(await stored()).toEqual([0, 1])
    expect([task.createdAt, task.changedAt].map(Number)).toEqual([START, START + MINUTE])
    at(2)
    Object.assign(task, { note: 'b', createdAt: undefined, changedAt: FORGED })
    await table.replace(task)
    expect(sent.map(({ method }) => method)).toEqual(['PUT'])
    expect(await stored()).toEqual([0, 2])
    expect([task.createdAt, task.changedAt].map(Number)).toEqual([START, START + 2 * MINUTE])
  })

  it('a merge without a change sends nothing', async () => {
    const { table, stored, sent, at } = await opened()
    await table.insert(make({}))
    const task = await table.get(['a', rowKey])
    at(1)
    task.createdAt = FORGED
    await table.merge(task)
    expect(sent).toHaveLength(0)
    expect(await stored()).toEqual([0, 0])
  })

  it('an unconditional merge leaves createdAt as it is stored', async () => {
    const { table, stored, sent, at } = await opened()
    await table.insert(make({}))
    at(1)
    await table.merge(make({ note: 'x', createdAt: FORGED }), { etag: '*' })
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
    expect(await stored()).toEqual([0, 1])
  })

  it.each(['insertOrMerge', 'insertOrReplace'] as const)(
    '%s sets createdAt of a new row, and leaves that of an existing one',
    async (method) => {
      const { table, stored, sent, at } = await opened()
      const first = make({ note: 'x', createdAt: FORGED })
      await table[method](first)
      expect(sent.map((each) => each.method)).toEqual(['GET', 'POST'])
      expect(await stored()).toEqual([0, 0])
      expect(Number(first.createdAt)).toBe(START)
      at(1)
      const second = make({ note: 'y', createdAt: FORGED })
      await table[method](second)
      expect(await stored()).toEqual([0, 1])
      expect([second.createdAt, second.changedAt].map(Number)).toEqual([START, START + MINUTE])
      at(2)
      await table[method](second) // known by now
      expect(await stored()).toEqual([0, 2])
      at(3)
      await table.delete(second)
      await table[method](second)
      expect(await stored()).toEqual([3, 3])
    },
  )

  it('an upsert stores one time, and shows it for an object that cannot be assigned to', async () => {
    const { table, tick } = await opened()
    tick()
    const shown = (await table.insertOrReplace(Object.freeze(make({})))) as Task
    expect(shown.createdAt).toEqual(shown.changedAt)
    expect(Number(shown.createdAt)).toBeGreaterThan(START)
  })

  it('an unconditional replace keeps the stored createdAt', async () => {
    const { table, stored, at } = await opened()
    const { etag } = (await table.execute(Operation.insert(make({})))) as { etag: string }
    at(1)
    await table.replace(make({ createdAt: FORGED }), { etag: '*' })
    expect(await stored()).toEqual([0, 1])
    await expect(table.replace(make({}), { etag })).rejects.toMatchObject({ status: 412 })
    at(2)
    const current = await table.execute(Operation.merge(make({ note: 'q' }), { etag: '*' }))
    await table.replace(make({ note: 'z' }), { etag: String(current.etag) })
    expect(await stored()).toEqual([0, 2])
  })

  it('batches, bulk writes, operations and modify keep them', async () => {
    const { table, account, stored, at } = await opened()
    await table.batch().insert(make({})).submit()
    expect(await stored()).toEqual([0, 0])
    at(1)
    await table
      .batch()
      .insertOrMerge(make({ note: 'a' }))
      .submit()
    expect(await stored()).toEqual([0, 1])
    at(2)
    await table.bulk().insertOrReplace([make({ note: 'b' })])
    expect(await stored()).toEqual([0, 2])
    at(3)
    await table.execute(Operation.insertOrReplace(make({ note: 'c' })))
    expect(await stored()).toEqual([0, 3])
    at(4)
    const modified = await table.modify(['a', rowKey], (task) => {
      task.note = 'd'
    })
    expect(await stored()).toEqual([0, 4])
    expect(Number(modified.changedAt)).toBe(START + 4 * MINUTE)
    at(5)
    const many = Array.from({ length: 30 }, (_, index) => make({ r: String(index) }))
    await table.bulk().insertOrMerge(many)
    const all = await account.table('orders').query().where({ partitionKey: 'a' }).toArray()
    expect(all.filter((each) => Number(each.get('createdAt')?.value) === START)).toHaveLength(1)
    expect(all.filter((each) => Number(each.get('createdAt')?.value) > START)).toHaveLength(29)
  })
})

describe('the times of a model', () => {
  it('are kept in a union, each type by its own names', async () => {
    const { account, stored, at } = world()
    const both = account.table('orders', union(Order, Event))
    await both.create()
    at(0)
    await both.batch().insert(Order, row()).insert(Event, row()).submit()
    expect(await stored()).toEqual([0, 0])
    expect(await stored('e_1', 'at', 'at')).toEqual([0, 0])
    at(1)
    await both.ofType(Order).insertOrMerge({ ...row(), note: 'x' })
    const event = await both.get(['a', 'e_1'])
    await both.insertOrReplace(event)
    expect(await stored()).toEqual([0, 1])
    expect(await stored('e_1', 'at', 'at')).toEqual([0, 0])
  })

  it('are kept with indexes, whose entries follow them', async () => {
    const { account, stored, at } = world()
    const Indexed = defineEntity({ name: 'orders', ...keys, schema, ...times })
    const indexes = declareIndexes(Indexed, { time: { rowKey: key`${'changedAt:time'}_${'r'}` } })
    const table = account.table(Indexed)
    await table.create()
    await table.insert(row())
    await indexes.on(account).build()
    at(1)
    await table.insertOrReplace({ ...row(), note: 'x' })
    expect(await stored()).toEqual([0, 1])
    const found = await indexes
      .on(account)
      .query('time', { p: 'a', changedAt: new Date(START + MINUTE) })
      .toArray()
    expect(found).toMatchObject([{ r: '1', note: 'x' }])
  })

  it('are renewed by a soft delete', async () => {
    const { account, stored, at } = world()
    const Soft = defineEntity({
      name: 'orders',
      ...keys,
      schema: schema.extend({ deletedOn: z.date().optional() }),
      lifetime: lifetime({ deletedAt: 'deletedOn' }),
      ...times,
    })
    const table = account.table(Soft)
    await table.create()
    await table.insert(row())
    at(1)
    await table.delete(row(), { etag: '*' })
    expect(await stored()).toEqual([0, 1])
  })

  it('are signed, but for createdAt', async () => {
    const { account, at } = world()
    const signing = signingKeys({ current: 'a', keys: { a: new Uint8Array(32) } })
    const Signed = defineEntity({
      name: 'orders',
      ...keys,
      schema,
      signing,
      updatedAt: 'changedAt',
    })
    const table = account.table(Signed)
    await table.create()
    await table.insert(row())
    at(1)
    const order = await table.get(row())
    order.note = 'x'
    await table.merge(order)
    expect(Number((await table.get(row())).changedAt)).toBe(START + MINUTE)
    expect(() => defineEntity({ name: 'orders', ...keys, schema, signing, ...times })).toThrow(
      /signing/,
    )
  })

  it('are not taken from a request body', () => {
    const order = fromPlain(Order, { ...row(), createdAt: '2001-01-01T00:00:00Z', note: 'x' })
    expect(order).toEqual({ ...row(), note: 'x' })
  })
})
