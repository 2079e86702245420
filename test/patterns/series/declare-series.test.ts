import {
  decorate,
  defineEntity,
  Entity,
  Int64,
  key,
  longText,
  ModelError,
  modelOf,
} from '@rowkey/mapper'
import { declareSeries } from '@rowkey/patterns'
import { exponentialRetry, TransportError } from '@rowkey/rest'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'

const MessageStats = defineEntity({
  name: 'stats',
  partitionKey: key`${'employee'}`,
  rowKey: key`${'day'}`,
  schema: z.object({ employee: z.string(), day: z.string(), note: z.string().optional() }),
  discriminator: { EntityType: 'MessageStats' },
})
const perHour = declareSeries(MessageStats, { prefix: 'h', slots: 24, type: 'Int32' })
const jones = { employee: 'jones', day: '2026-11-22' }

async function opened() {
  const all = office()
  const stats = all.account.table(MessageStats)
  await stats.create()
  all.sent.length = 0
  return { ...all, stats, messages: perHour.on(all.account) }
}

describe('declareSeries', () => {
  it('R-155: stores one slot by one merge of one property', async () => {
    const { messages, sent } = await opened()
    await messages.set(jones, 9, 12)
    expect(sent).toMatchObject([{ method: 'PATCH' }])
    expect(JSON.parse(String(sent[0]?.body))).toEqual({
      PartitionKey: 'jones',
      RowKey: '2026-11-22',
      EntityType: 'MessageStats',
      h09: 12,
    })
  })

  it('R-155: reads all slots as one array by one request', async () => {
    const { messages, sent } = await opened()
    await messages.set(jones, 0, 1)
    await messages.set(jones, 23, 2)
    sent.length = 0
    const counts = await messages.read(jones)
    expectTypeOf(counts).toEqualTypeOf<(number | undefined)[] | undefined>()
    expect(sent).toHaveLength(1)
    expect(counts).toEqual([1, ...Array(22).fill(undefined), 2])
    expect(await messages.read({ ...jones, day: '2026-11-23' })).toBeUndefined()
  })

  it('R-155: spreads a map with named slots', async () => {
    const { account } = await opened()
    const perDay = declareSeries(MessageStats, {
      prefix: 'on_',
      slots: ['mon', 'tue', 'wed'],
      type: 'Double',
    })
    const days = perDay.on(account)
    await days.setAll(jones, { mon: 1.5, wed: 3 })
    await days.set(jones, 'tue', 2)
    const values = await days.read(jones)
    expectTypeOf(values?.mon).toEqualTypeOf<number | undefined>()
    expect(values).toEqual({ mon: 1.5, tue: 2, wed: 3 })
    const row = await account.table('stats').get(['jones', '2026-11-22'])
    expect(row.get('on_wed')).toMatchObject({ type: 'Double', value: 3 })
  })

  it('stores several slots at once, and keeps the others', async () => {
    const { messages } = await opened()
    await messages.set(jones, 1, 10)
    await messages.setAll(jones, [5, undefined, 7])
    expect((await messages.read(jones))?.slice(0, 3)).toEqual([5, 10, 7])
  })

  it('the table of the model keeps the slots in every write', async () => {
    const { messages, stats } = await opened()
    await messages.set(jones, 9, 12)
    const row = await stats.get(jones)
    row.note = 'busy'
    await stats.merge(row)
    await stats.replace(await stats.get(jones))
    await stats.modify(jones, (each) => {
      each.note = undefined
    })
    expect((await messages.read(jones))?.[9]).toBe(12)
  })

  it('add loses no addition of overlapping programs', async () => {
    const { messages, rival } = await opened()
    const programs = [messages, ...Array.from({ length: 4 }, () => perHour.on(rival()))]
    await Promise.all(programs.map((program) => program.add(jones, 9, 2)))
    expect((await messages.read(jones))?.[9]).toBe(10)
    expect(await messages.add(jones, 9, 1)).toBe(11)
  })

  it('add to a missing row loses no addition when a request is lost, and another program adds as much', async () => {
    const { messages, between, rival } = await opened()
    const other = perHour.on(rival())
    between(
      ({ method }) => method !== 'GET',
      async () => {
        await other.add(jones, 9, 1)
        throw new TransportError({ message: 'The request was lost.', mayHaveApplied: true })
      },
    )
    expect(await messages.add(jones, 9, 1, { retry: exponentialRetry() })).toBe(2)
    expect((await other.read(jones))?.[9]).toBe(2)
  })

  it('add returns what is stored when its idempotencyKey is repeated', async () => {
    const { messages } = await opened()
    expect(await messages.add(jones, 9, 5, { idempotencyKey: 'nine' })).toBe(5)
    expect(await messages.add(jones, 9, 5, { idempotencyKey: 'nine' })).toBe(5)
    expect((await messages.read(jones))?.[9]).toBe(5)
  })

  it('add adds bigints, and rejects a sum that does not fit', async () => {
    const { account, messages } = await opened()
    const total = declareSeries(MessageStats, { prefix: 't', slots: 2, type: 'Int64' }).on(account)
    await total.add(jones, 0, 2n ** 60n)
    expect(await total.add(jones, 0, 1n)).toBe(2n ** 60n + 1n)
    await messages.set(jones, 0, 2 ** 31 - 1)
    await expect(messages.add(jones, 0, 1)).rejects.toMatchObject({ code: 'InvalidPropertyValue' })
  })

  it('reads the series of a partition with their keys', async () => {
    const { messages, sent } = await opened()
    for (const day of ['1', '2']) await messages.set({ ...jones, day }, 0, Number(day))
    sent.length = 0
    const found: unknown[] = []
    for await (const { key: where, values } of messages.query({ employee: 'jones' })) {
      found.push([where.day, values[0]])
    }
    expect(found).toEqual([
      ['1', 1],
      ['2', 2],
    ])
    expect(sent).toHaveLength(1)
  })

  it('makes rows for a bulk writer', async () => {
    const { messages, account } = await opened()
    const rows = Array.from({ length: 30 }, (_, day) =>
      messages.rowOf({ ...jones, day: String(day) }, [day]),
    )
    await account.table('stats').bulk().insertOrMerge(rows)
    expect((await messages.read({ ...jones, day: '29' }))?.[0]).toBe(29)
  })

  it('rejects unknown slots and values of another type', async () => {
    const { messages, sent } = await opened()
    await expect(messages.set(jones, 24, 1)).rejects.toMatchObject({ code: 'InvalidPatternOption' })
    await expect(messages.set(jones, 0, 1.5)).rejects.toMatchObject({
      code: 'InvalidPropertyValue',
    })
    expect(sent).toEqual([])
  })

  it('R-155: rejects more than 252 properties, and names of the model', () => {
    const declare = (prefix: string, slots: number) =>
      declareSeries(MessageStats, { prefix, slots, type: 'Int32' })
    expect(() => declare('d', 251)).toThrow(/253 properties/)
    expect(() => declare('d', 250)).not.toThrow()
    expect(() =>
      declareSeries(MessageStats, { prefix: '', slots: ['note'], type: 'String' }),
    ).toThrow(ModelError)
    expect(() => declare('d', 0)).toThrow(/whole number/)
    expect(() =>
      declareSeries(MessageStats, { prefix: 'on_', slots: ['mon', 'mon'], type: 'Int32' }),
    ).toThrow('different names')
  })

  it('rejects a slot with the name of the version', () => {
    const Stats = defineEntity({
      name: 'stats',
      partitionKey: key`${'page'}`,
      rowKey: key`${'week:4'}`,
      schema: z.object({ page: z.string(), week: z.int() }),
      version: 1,
    })
    const declare = () => declareSeries(Stats, { prefix: '', slots: ['Version'], type: 'Int32' })
    expect(declare).toThrow(/stores a property 'Version'/)
  })

  it('stores the parts of the key that entities store, too', async () => {
    const { account } = office()
    const Visits = defineEntity({
      name: 'visits',
      partitionKey: key`${'page:hash'}`,
      rowKey: key`${'week:4'}`,
      schema: z.object({ page: z.string(), week: z.int() }),
    })
    const perDay = declareSeries(Visits, { prefix: 'd', slots: 7, type: 'Int32' }).on(account)
    await account.table(Visits).create()
    const home = { page: '/home?x', week: 7 }
    await perDay.set(home, 0, 3)
    await perDay.add({ ...home, week: 8 }, 0, 4)
    const found: unknown[] = []
    for await (const { key: own, values } of perDay.query({ page: home.page })) {
      found.push([own, values[0]])
    }
    expect(found).toEqual([
      [home, 3],
      [{ ...home, week: 8 }, 4],
    ])
    expect(await account.table(Visits).get(home)).toEqual(home)
  })

  it('rejects slots that are pieces of a long value, and parts of the key that are not stored as they are', () => {
    const parts = { name: 'stats', partitionKey: key`${'id'}`, rowKey: key`stats` }
    const schema = z.object({ id: z.string(), body: z.string() })
    const Letter = defineEntity({ ...parts, schema, columns: { body: longText() } })
    const options = { prefix: 'body_', slots: ['1', '16', '17'], type: 'Int32' } as const
    expect(() => declareSeries(Letter, options)).toThrow(/'body_16'.*Choose another name/)
    declareSeries(Letter, { ...options, slots: ['1', '17'] })
    class Counter {
      id = 0
    }
    const keys = { partitionKey: key`${'id:8'}`, rowKey: key`stats` }
    decorate(Counter, Entity({ name: 'stats', ...keys }), { id: Int64({ as: 'number' }) })
    const numbers = { prefix: 'n', slots: 2, type: 'Int32' } as const
    expect(() => declareSeries(modelOf(Counter), numbers)).toThrow(/'id' is a part of the key/)
  })
})
