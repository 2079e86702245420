import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, union } from '@rowkey/mapper'
import { DynamicEntity, EntityProperty, filter } from '@rowkey/odata'
import { anyOf, between, ge, gt, le, lt, missing, ne, startsWith } from '@rowkey/query'
import { noRetry, tableService } from '@rowkey/rest'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'
const SINCE = new Date('2026-01-02T03:04:05.678Z')
let made = 0

const Job = defineEntity({
  name: 'jobs',
  partitionKey: key`${'p'}`,
  rowKey: key`j_${'r'}`,
  schema: z.object({
    p: z.string(),
    r: z.string(),
    state: z.enum(['open', 'late', 'sent']).default('open'),
    size: z.int32().default(5),
    total: z.bigint().default(5n),
    rate: z.number().default(0.5),
    since: z.date().default(SINCE),
    owner: z.uuid().default(GUID),
    active: z.boolean().default(true),
    hidden: z.boolean().default(false),
    mark: z.string().catch('none'),
    flag: z.stringbool().default(true),
    token: z.string().default(() => `made ${++made}`),
    note: z.string().nullable().default(null),
    word: z.string().trim().optional(),
  }),
})

/** A row that stores nothing, one that stores the defaults, one with other values and one with other types. */
async function jobs(flavour?: 'cosmos') {
  const { transport, connectionString } = localTableService({ flavour })
  const account = new Account(
    tableService({ connectionString: connectionString(), transport, flavour, retry: noRetry }),
  )
  const table = account.table(Job)
  await table.create()
  const rows = account.table('jobs')
  await rows.insert(new DynamicEntity('p', 'j_bare', { mark: 'none' }))
  await table.insert({ p: 'p', r: 'equal', mark: 'none' })
  await rows.insert(
    new DynamicEntity('p', 'j_other', {
      state: 'sent',
      size: 7,
      total: 7n,
      rate: 0.7,
      since: new Date('2026-07-07'),
      owner: EntityProperty.guid(GUID.replace('c', 'd')),
      active: false,
      hidden: true,
      flag: 'false',
      mark: 'x',
    }),
  )
  return { account, table, rows, query: () => table.query().where({ p: 'p' }) }
}

describe('a condition on a property with a default', () => {
  it('finds the rows whose missing value reads show as the default, by every comparison', async () => {
    const { query } = await jobs()
    const all = await query().toArray()
    const conditions: readonly [object, (job: (typeof all)[number]) => boolean][] = [
      [{ state: 'open' }, ({ state }) => state === 'open'],
      [{ state: ne('open') }, ({ state }) => state !== 'open'],
      [{ state: ne('late') }, ({ state }) => state !== 'late'],
      [{ state: 'sent' }, ({ state }) => state === 'sent'],
      [{ state: anyOf(['late', 'open']) }, ({ state }) => state !== 'sent'],
      [{ state: startsWith('op') }, ({ state }) => state.startsWith('op')],
      [{ size: gt(4) }, ({ size }) => size > 4],
      [{ size: gt(5) }, ({ size }) => size > 5],
      [{ size: ge(5) }, ({ size }) => size >= 5],
      [{ size: lt(6) }, ({ size }) => size < 6],
      [{ size: le(4) }, ({ size }) => size <= 4],
      [{ size: between(5, 6) }, ({ size }) => size >= 5 && size <= 6],
      [{ total: 5n }, ({ total }) => total === 5n],
      [{ total: lt(6n) }, ({ total }) => total < 6n],
      [{ rate: 0.5 }, ({ rate }) => rate === 0.5],
      [{ rate: ge(0.5) }, ({ rate }) => rate >= 0.5],
      [{ since: SINCE }, ({ since }) => Number(since) === Number(SINCE)],
      [{ since: le(SINCE) }, ({ since }) => since <= SINCE],
      [{ owner: GUID }, ({ owner }) => owner === GUID],
      [{ active: true }, ({ active }) => active],
      [{ active: ne(true) }, ({ active }) => !active],
      [{ hidden: false }, ({ hidden }) => !hidden],
      [{ flag: true }, ({ flag }) => flag],
      [{ flag: ne(true) }, ({ flag }) => !flag],
      [{ mark: 'none' }, ({ mark }) => mark === 'none'],
      [{ note: 'a' }, ({ note }) => note === 'a'],
      [{ word: 'a' }, ({ word }) => word === 'a'],
    ]
    for (const [condition, isShown] of conditions) {
      const shown = all.filter(isShown).map(({ r }) => r)
      const found = await query().where(condition).toArray()
      expect([condition, found.map(({ r }) => r)]).toEqual([condition, shown])
      expect([condition, await query().where(condition).count()]).toEqual([condition, shown.length])
      const local = await query().filterLocally(condition).toArray()
      expect([condition, local.map(({ r }) => r)]).toEqual([condition, shown])
    }
  })

  it('means the opposite after a not, and works as a condition by itself', async () => {
    const { query } = await jobs()
    const ids = async (found: Promise<readonly { r: string }[]>) => (await found).map(({ r }) => r)
    expect(
      await ids(
        query()
          .where((job) => job.state.eq('open').not())
          .toArray(),
      ),
    ).toEqual(['other'])
    expect(
      await ids(
        query()
          .where((job) => job.size.lt(6).not())
          .toArray(),
      ),
    ).toEqual(['other'])
    expect(
      await ids(
        query()
          .where((job) => job.active)
          .toArray(),
      ),
    ).toEqual(['bare', 'equal'])
    expect(
      await ids(
        query()
          .where((job) => job.active.not())
          .toArray(),
      ),
    ).toEqual(['other'])
    expect(
      await ids(
        query()
          .where((job) => job.hidden)
          .toArray(),
      ),
    ).toEqual(['other'])
    expect(
      await ids(
        query()
          .where((job) => job.hidden.not())
          .toArray(),
      ),
    ).toEqual(['bare', 'equal'])
  })

  it('finds no row that stores another type', async () => {
    const { query, rows } = await jobs()
    await rows.insert(new DynamicEntity('p', 'j_z', { state: 5, size: 'large' }))
    for (const condition of [{ state: 'open' }, { state: ne('late') }, { size: lt(9) }] as const) {
      const found = await query().where(condition).toArray()
      expect(found.map(({ r }) => r)).not.toContain('z')
    }
  })

  it('says in its plan which rows it finds, and costs one comparison for the default itself', async () => {
    const { query } = await jobs()
    const { filter: text, reasons } = query().where({ state: 'open' }).explain()
    expect(text).toContain("not (state ne 'open')")
    expect(reasons.join()).toContain('do not store state')
    const other = query().where({ state: 'sent' }).explain()
    expect(other.filter).toContain("state eq 'sent'")
    expect(other.reasons.join()).not.toContain('do not store')
    expect(
      query()
        .where({ size: gt(4) })
        .explain().filter,
    ).toContain('(size gt 4 or not (size eq 0 or size ne 0))')
  })

  it('finds only stored values of a default that is made anew each time, as reads do', async () => {
    const { query } = await jobs()
    const [bare, equal] = await query().toArray()
    expect(bare!.token).toBeUndefined()
    expect(await query().where({ token: equal!.token }).count()).toBe(1)
    expect(
      await query()
        .where({ token: startsWith('made') })
        .count(),
    ).toBe(1)
    expect(await query().where({ token: missing }).count()).toBe(2)
  })

  it('is rejected on Cosmos DB, which cannot select missing values, unless only stored values match', async () => {
    const { query } = await jobs('cosmos')
    expect(() => query().where({ state: 'open' })).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
    expect(() => query().where({ size: gt(4) })).toThrow(/show its default.*filterLocally/)
    const ranges = [{ state: 'open' as const }]
    expect(() => query().parallel({ ranges })).toThrow(/filterLocally/)
    expect(await query().where({ state: 'sent' }).count()).toBe(1)
    expect(await query().where(filter`state eq ${'open'}`).count()).toBe(1)
    expect(await query().filterLocally({ state: 'open' }).count()).toBe(2)
  })

  it.each([
    ['valibot', v.object({ p: v.string(), r: v.string(), state: v.optional(v.string(), 'open') })],
    ['arktype', type({ p: 'string', r: 'string', state: 'string = "open"' })],
  ])('finds what reads show with %s, too', async (_library, schema) => {
    const { account } = await jobs()
    const model = defineEntity({
      name: 'jobs',
      partitionKey: key`${'p'}`,
      rowKey: key`j_${'r'}`,
      schema: schema as never,
    }) as unknown as typeof Job
    const found = await account.table(model).query().where({ p: 'p', state: 'open' }).toArray()
    expect(found.map(({ r }) => r)).toEqual(['bare', 'equal'])
  })
})

describe('a condition on a union', () => {
  const Task = defineEntity({
    name: 'jobs',
    partitionKey: key`${'p'}`,
    rowKey: key`t_${'r'}`,
    schema: z.object({ p: z.string(), r: z.string(), state: z.string().default('open') }),
  })
  const Note = defineEntity({
    name: 'jobs',
    partitionKey: key`${'p'}`,
    rowKey: key`n_${'r'}`,
    schema: z.object({ p: z.string(), r: z.string(), state: z.string().optional() }),
  })
  const Same = defineEntity({
    name: 'jobs',
    partitionKey: key`${'p'}`,
    rowKey: key`s_${'r'}`,
    schema: z.object({ p: z.string(), r: z.string(), state: z.string().default('open') }),
  })

  it('finds the default that all types have', async () => {
    const { account } = await jobs()
    const table = account.table('tasks', union(Task, Same))
    await table.create()
    const rows = account.table('tasks')
    await rows.insert(new DynamicEntity('p', 't_1'))
    await rows.insert(new DynamicEntity('p', 's_1', { state: 'open' }))
    await rows.insert(new DynamicEntity('p', 's_2', { state: 'sent' }))
    expect(await table.query().where({ p: 'p', state: 'open' }).count()).toBe(2)
    expect(await table.query().where({ p: 'p', state: 'sent' }).count()).toBe(1)
  })

  it('is rejected where only some types show the default', async () => {
    const { account } = await jobs()
    const table = account.table('tasks', union(Task, Note))
    await table.create()
    const rows = account.table('tasks')
    await rows.insert(new DynamicEntity('p', 't_1'))
    await rows.insert(new DynamicEntity('p', 'n_1'))
    await rows.insert(new DynamicEntity('p', 'n_2', { state: 'sent' }))
    expect(() => table.query().where({ p: 'p', state: 'open' })).toThrow(/ofType/)
    expect(await table.query().where({ p: 'p', state: 'sent' }).count()).toBe(1)
    expect(await table.ofType(Task).query().where({ p: 'p', state: 'open' }).count()).toBe(1)
    expect(await table.ofType(Note).query().where({ p: 'p', state: 'open' }).count()).toBe(0)
  })
})
