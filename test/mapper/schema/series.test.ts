import {
  defineEntity,
  fromPlain,
  key,
  ModelError,
  Operation,
  series,
  toPlain,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const hours = z.array(z.int32().optional())
const parts = { name: 'stats', partitionKey: key`${'employee'}`, rowKey: key`${'day'}` }
const schema = z.object({
  employee: z.string(),
  day: z.string(),
  hours,
  note: z.string().optional(),
})
const perHour = {
  ...parts,
  schema,
  columns: { hours: series('Int32', 24) },
  storeAs: { hours: 'h' },
}
const Stats = defineEntity(perHour)
const jones = { employee: 'jones', day: '2026-11-22' }

async function opened() {
  const { account, sent } = freshAccount()
  const stats = account.table(Stats)
  await stats.create()
  sent.length = 0
  const bodies = () => sent.splice(0).map(({ body }) => JSON.parse(String(body ?? '{}')))
  return { account, stats, bodies }
}

describe('a series', () => {
  it('R-155: stores each value in a property, and a merge sends the changed ones only', async () => {
    const { account, stats, bodies } = await opened()
    await stats.insert({ ...jones, hours: [1, undefined, 3] })
    expect(bodies()).toEqual([{ PartitionKey: 'jones', RowKey: '2026-11-22', h00: 1, h02: 3 }])
    const today = await stats.get(jones)
    expect(today.hours).toHaveLength(24)
    expect(today.hours.slice(0, 4)).toEqual([1, undefined, 3, undefined])
    today.hours[9] = 12
    today.hours[0] = 2
    bodies()
    await stats.merge(today)
    expect(bodies()).toEqual([{ PartitionKey: 'jones', RowKey: '2026-11-22', h00: 2, h09: 12 }])
    await stats.merge(today)
    expect(bodies()).toEqual([])
    const row = await account.table('stats').get(['jones', '2026-11-22'])
    expect(row.get('h09')).toMatchObject({ type: 'Int32', value: 12 })
  })

  it('R-155: insertOrMerge sets one value by one request, whether or not the row exists', async () => {
    const { stats, bodies } = await opened()
    await stats.insertOrMerge({ ...jones, hours: [1] })
    const one: (number | undefined)[] = []
    one[9] = 12
    await stats.insertOrMerge({ ...jones, hours: one })
    expect(bodies().map(({ h00, h09 }) => [h00, h09])).toEqual([
      [1, undefined],
      [undefined, 12],
    ])
    expect((await stats.get(jones)).hours.filter((each) => each !== undefined)).toEqual([1, 12])
  })

  it('R-155: modify adds to a value, and loses no addition of another program', async () => {
    const { account, stats } = await opened()
    await stats.insert({ ...jones, hours: [], note: 'kept' })
    const add = (table: typeof stats, hour: number) =>
      table.modify(jones, (row) => {
        row.hours[hour] = (row.hours[hour] ?? 0) + 1
      })
    const others = [account.table(Stats), account.table(Stats)]
    await Promise.all([stats, ...others].flatMap((table) => [add(table, 9), add(table, 10)]))
    const { hours: counted, note } = await stats.get(jones)
    expect([counted[9], counted[10], note]).toEqual([3, 3, 'kept'])
  })

  it('a merge rejects a value that is stored and was removed; a replace removes it', async () => {
    const { stats } = await opened()
    await stats.insert({ ...jones, hours: [1, 2] })
    const today = await stats.get(jones)
    today.hours[1] = undefined
    await expect(stats.merge(today)).rejects.toThrow('stats.hours[1] is stored')
    await stats.replace(today)
    expect((await stats.get(jones)).hours.slice(0, 2)).toEqual([1, undefined])
  })

  it('replace and insertOrReplace keep and drop values as they do properties', async () => {
    const { account, stats } = await opened()
    await stats.insert({ ...jones, hours: [1, 2], note: 'a' })
    const today = await stats.get(jones)
    await stats.replace(Object.assign(today, { note: 'b' }))
    expect((await stats.get(jones)).hours.slice(0, 2)).toEqual([1, 2])
    await stats.insertOrReplace({ ...jones, hours: [undefined, 5] })
    expect((await stats.get(jones)).hours.slice(0, 2)).toEqual([undefined, 5])
    const batch = account
      .table(Stats)
      .batch()
      .merge({ ...jones, hours: [7] }, { etag: '*' })
    await batch.submit()
    await account.table(Stats).execute(Operation.insertOrMerge({ ...jones, hours: [8] }))
    expect((await stats.get(jones)).hours.slice(0, 2)).toEqual([8, 5])
  })

  it('select reads its values; without them it is undefined', async () => {
    const { stats, bodies } = await opened()
    await stats.insert({ ...jones, hours: [1, 2], note: 'a' })
    bodies()
    const day = { employee: 'jones' }
    const [selected] = await stats
      .query()
      .where(day)
      .select('hours' as 'day')
      .toArray()
    expect(Reflect.get(Object(selected), 'hours').slice(0, 3)).toEqual([1, 2, undefined])
    const [other] = await stats.query().where(day).select('note').toArray()
    expect([other?.note, Reflect.get(Object(other), 'hours')]).toEqual(['a', undefined])
    expect(() =>
      stats
        .query()
        .where({ ...day, hours: [1] } as never)
        .explain(),
    ).toThrow(/series/)
  })

  it('a default of its values shows, and is not stored by a merge', async () => {
    const { account, bodies } = await opened()
    const counted = z.array(z.int32().default(0))
    const Counted = defineEntity({ ...perHour, schema: schema.extend({ hours: counted }) })
    const stats = account.table(Counted)
    await stats.insertOrMerge({ ...jones, hours: [1] })
    const today = await stats.get(jones)
    expect(today.hours).toEqual([1, ...Array.from({ length: 23 }, () => 0)])
    bodies()
    today.hours[3] = 1
    await stats.merge(today)
    expect(bodies()).toEqual([{ PartitionKey: 'jones', RowKey: '2026-11-22', h03: 1 }])
  })

  it('toPlain and fromPlain carry it as an array', () => {
    const plain = toPlain({ ...jones, hours: [1, undefined, 3] }, Stats)
    expect(plain).toMatchObject({ hours: [1, null, 3] })
    expect(fromPlain(Stats, plain)).toMatchObject({ hours: [1, undefined, 3] })
    expect(() => fromPlain(Stats, { ...jones, hours: ['x'] })).toThrow('stats.hours[0]')
  })

  it('values of other types survive exactly', async () => {
    const { account } = freshAccount()
    const Exact = defineEntity({
      ...parts,
      schema: z.object({
        employee: z.string(),
        day: z.string(),
        big: z.array(z.bigint().optional()),
        at: z.array(z.date().optional()),
      }),
      columns: { big: series('Int64', 3), at: series('DateTime', 12) },
    })
    const table = account.table(Exact)
    await table.create()
    const at = [new Date('2026-11-22T00:00:00.123Z')]
    await table.insert({ ...jones, big: [2n ** 60n], at })
    const found = await table.get(jones)
    expect(found.big).toEqual([2n ** 60n, undefined, undefined])
    expect(found.at[0]?.getTime()).toBe(at[0]?.getTime())
    const row = await account.table('stats').get(['jones', '2026-11-22'])
    expect([...row.properties.keys()]).toEqual(['big0', 'at00'])
  })

  it.each([
    [Array.from({ length: 25 }, () => 1), 'a series has 24 values; got an array of 25'],
    [['x'], 'hours'],
  ])('rejects the values %j', async (values, message) => {
    const { stats } = await opened()
    const writing = stats.insert({ ...jones, hours: values as never })
    await expect(writing).rejects.toThrow(message)
  })

  it.each([
    [{ hours: series('Int31' as never, 2) }, 'unknown Edm type'],
    [{ hours: series('Int32', 0) }, 'from 1 to 252'],
    [{ hours: series('Int32', 252) }, '253 properties'],
    [{ hours: { ...series('Int32', 2), chunkType: 'String' } }, 'no other rule'],
    [{ note: series('String', 2) }, 'not an array of plain values'],
    [{ day: series('String', 2) }, 'part of the key'],
  ])('rejects the rule %j', (columns, message) => {
    const define = () => defineEntity({ ...parts, schema, columns: columns as never })
    expect(define).toThrow(ModelError)
    expect(define).toThrow(message)
  })

  it('rejects another property with the name of a value', () => {
    const twin = schema.extend({ h03: z.number().optional() })
    expect(() => defineEntity({ ...perHour, schema: twin })).toThrow("stored as 'h03'")
  })
})
