import { defineEntity, key } from '@rowkey/mapper'
import {
  chunkStore,
  declareOutbox,
  declareSummaries,
  periodTables,
  wideEntity,
} from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import { office } from './employees.ts'

const numbers = Array.from({ length: 20 }, (_, at) => at)
const sales = { department: 'Sales' }

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

const defineStaff = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({ department: z.string(), id: z.int(), title: z.string() }),
  })

describe('on Cosmos DB, which does not sort rows', () => {
  it('an outbox delivers messages in the order of their times', async () => {
    const all = office('cosmos')
    const Employee = defineStaff()
    const outbox = declareOutbox(Employee, {
      messages: ({ after }) => (after === undefined ? [] : [after.id]),
      ...announcedTo(),
    })
    const staff = all.account.table(Employee)
    await staff.create()
    for (const id of numbers) {
      all.now += 1
      await staff.insert({ ...sales, id, title: 'dev' })
    }
    const partition = { table: 'staff', partitionKey: 'Sales' }
    expect(await outbox.on(all.account).pending({ department: 'Sales' })).toEqual(numbers)
    const handled: number[] = []
    await outbox.on(all.account).deliver(partition, async (id) => {
      handled.push(id)
    })
    expect(handled).toEqual(numbers)
  })

  it('summaries come in the order of their RowKeys', async () => {
    const { account } = office('cosmos')
    const Employee = defineStaff()
    const summaries = declareSummaries(Employee, { byTitle: { rowKey: key`title_${'title'}` } })
    const staff = account.table(Employee)
    await staff.create()
    const titles = numbers.map((at) => `t${10 + at}`)
    for (const [id, title] of titles.entries()) await staff.insert({ ...sales, id, title })
    const groups = await collect(summaries.on(account).query('byTitle', sales))
    expect(groups.map(({ group }) => group.title)).toEqual(titles)
  })

  it('tables of periods are listed from old to new', async () => {
    const { account } = office('cosmos')
    const Login = defineEntity({
      name: 'logins',
      partitionKey: key`${'user'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ user: z.string(), id: z.string(), at: z.date() }),
    })
    const logins = periodTables(Login, {
      prefix: 'logins',
      period: 'year',
      at: ({ at }) => at,
    }).on(account)
    const years = numbers.map((at) => 2000 + at)
    for (const year of years) {
      await logins.insert({ user: 'a', id: 'b', at: new Date(Date.UTC(year, 5)) })
    }
    const periods = await collect(logins.periods())
    expect(periods.map(({ start }) => start.getUTCFullYear())).toEqual(years)
  })

  it('a value in chunk rows is read as it was stored', async () => {
    const { account } = office('cosmos')
    await account.createTable('values')
    const store = chunkStore(account, { table: 'values' })
    const bytes = Buffer.alloc(
      4_000_000,
      Uint8Array.from({ length: 251 }, (_, at) => at),
    )
    await store.put('staff/a/b/photo/1', bytes)
    expect(Buffer.compare((await store.get('staff/a/b/photo/1')) ?? Buffer.of(), bytes)).toBe(0)
  })

  it('entities of several rows are read whole and in order', async () => {
    const { account } = office('cosmos')
    await account.createTable('wide')
    const keys = { group: z.string(), id: z.int() }
    const partitionKey = key`${'group'}`
    const One = defineEntity({
      name: 'wide',
      partitionKey,
      rowKey: key`${'id:3'}_01`,
      schema: z.object({ ...keys, one: z.int() }),
    })
    const Two = defineEntity({
      name: 'wide',
      partitionKey,
      rowKey: key`${'id:3'}_02`,
      schema: z.object({ ...keys, two: z.int() }),
    })
    const wide = wideEntity(One, Two).on(account)
    for (const id of numbers) await wide.insert({ group: 'wide', id, one: id, two: id })
    const read = await collect(wide.query({ group: 'wide' }))
    expect(read.map(({ one, two }) => [one, two])).toEqual(numbers.map((id) => [id, id]))
  })
})
