import { localTableService, seededRandom } from '@rowkey/local'
import { Account, defineEntity, KeptRowConflictError, key } from '@rowkey/mapper'
import { declareSummaries } from '@rowkey/patterns'
import { tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { casesToPlay } from '../../support/cases-to-play.ts'
import { isBatch, office, randomOf } from '../employees.ts'

const sales = { department: 'Sales' }

function program(spread?: number, attempts?: number) {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      title: z.string().optional(),
      salary: z.number(),
    }),
  })
  const summaries = declareSummaries(
    Employee,
    {
      total: { rowKey: key`t_total`, sums: ['salary'], spread },
      titles: { rowKey: key`title_${'title'}`, sums: ['salary'], spread },
    },
    { attempts },
  )
  return { Employee, summaries }
}

const employee = (id: number, title?: string, salary = 1) => ({
  ...sales,
  id,
  salary,
  ...(title !== undefined && { title }),
})

async function opened(spread?: number) {
  const all = office()
  const { Employee, summaries } = program(spread)
  const staff = all.account.table(Employee)
  await staff.create()
  all.sent.length = 0
  return { ...all, staff, table: summaries.on(all.account) }
}

describe('many programs that write one summary at once', () => {
  it('a write that loses each attempt names the row and its summary', async () => {
    const { rival, table } = await opened()
    const writes = Array.from({ length: 40 }, (_, id) =>
      rival().table(program(1, 3).Employee).insert(employee(id)),
    )
    const failures = (await Promise.allSettled(writes)).flatMap((each) =>
      each.status === 'rejected' ? [each.reason] : [],
    )
    expect(failures.length).toBeGreaterThan(0)
    for (const error of failures) {
      expect(error).toBeInstanceOf(KeptRowConflictError)
      expect(error).toMatchObject({
        code: 'KeptRowConflict',
        key: { partitionKey: 'Sales', rowKey: 't_total' },
        keptFor: 'summary total of staff',
        attempts: 3,
        mayHaveApplied: false,
        message: expect.stringMatching(
          /^Other programs changed the row .* of summary total of staff/,
        ),
      })
    }
    expect((await table.get('total', sales)).count).toBe(40 - failures.length)
    expect(await table.verify(sales)).toEqual([])
  })

  it('more attempts let all of them end', async () => {
    const { rival, table } = await opened()
    const writes = Array.from({ length: 12 }, (_, id) =>
      rival().table(program(1, 100).Employee).insert(employee(id)),
    )
    await Promise.all(writes)
    expect(await table.get('total', sales)).toEqual({ count: 12, sums: { salary: 12 } })
  })

  it('a batch of many fails as one, and bulk reports the rows whose summary was busy', async () => {
    const { account, between, rival, staff } = await opened()
    await staff.insert(employee(1))
    const busy = account.table(program(1, 1).Employee)
    between(isBatch, () => rival().table(program().Employee).insert(employee(2)))
    const inserts = busy.batch().insert(employee(3)).insert(employee(4)).submit()
    await expect(inserts).rejects.toThrow(KeptRowConflictError)
    between(isBatch, () => rival().table(program().Employee).insert(employee(5)))
    const { done } = await busy.bulk().insert([employee(6), employee(7)])
    expect(done).toBe(2)
  })
})

describe('a summary that is spread over rows', () => {
  it('reads add the rows up by one request', async () => {
    const { account, rival, table, sent } = await opened(8)
    const random = randomOf(1)
    for (let id = 0; id < 20; id++) {
      const service = { ...rival().service, random: () => random(1_000) / 1_000 }
      const one = new (account.constructor as typeof import('@rowkey/mapper').Account)(service)
      await one.table(program(8).Employee).insert(employee(id, id % 2 ? 'dev' : 'ops', id))
    }
    const rows = await account.table('staff').query().where({ partitionKey: 'Sales' }).toArray()
    const counts = rows.filter(({ rowKey }) => rowKey.startsWith('t_total '))
    expect(counts.length).toBeGreaterThan(4)
    await table.get('total', sales) // reads the catalogue
    sent.length = 0
    expect(await table.get('total', sales)).toEqual({ count: 20, sums: { salary: 190 } })
    expect(sent).toHaveLength(1)
    const groups: unknown[] = []
    for await (const each of table.query('titles', sales)) groups.push(each)
    expect(groups).toEqual([
      { group: { title: 'dev' }, summary: { count: 10, sums: { salary: 100 } } },
      { group: { title: 'ops' }, summary: { count: 10, sums: { salary: 90 } } },
    ])
    expect(await table.verify(sales)).toEqual([])
  })

  it('counts an entity once when the model has the summary twice', async () => {
    const { transport, connectionString } = localTableService()
    const service = { connectionString: connectionString(), transport, random: seededRandom(1) }
    const account = new Account(tableService(service))
    const Employee = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`empid_${'id:6'}`,
      schema: z.object({ department: z.string(), id: z.int(), salary: z.number() }),
    })
    const definitions = { total: { rowKey: key`t_total`, sums: ['salary'], spread: 5 } } as const
    const [first, second] = [1, 2].map(() => declareSummaries(Employee, definitions).on(account))
    const staff = account.table(Employee)
    await staff.create()
    await staff.batch().insert(employee(1)).insert(employee(2)).submit()
    for (const id of [3, 4, 5, 6]) await staff.insert(employee(id))
    await staff.modify(employee(3), (one) => {
      one.salary = 5
    })
    for (const table of [first, second]) {
      expect(await table?.get('total', sales)).toEqual({ count: 6, sums: { salary: 10 } })
      expect(await table?.verify(sales)).toEqual([])
    }
  })

  it('groups whose names look like numbered rows stay apart', async () => {
    const { staff, table } = await opened(3)
    const titles = ['dev', 'dev 01', 'dev 1', 'dev 01 01', 'dev!', 'de']
    for (const [id, title] of titles.entries()) await staff.insert(employee(id, title, id))
    for (const [id, title] of titles.entries()) {
      const summary = await table.get('titles', { ...sales, title })
      expect([title, summary]).toEqual([title, { count: 1, sums: { salary: id } }])
    }
    const found: unknown[] = []
    for await (const { group } of table.query('titles', sales)) found.push(group.title)
    expect(found.toSorted()).toEqual(titles.toSorted())
    await staff.delete({ ...sales, id: 0 }, { etag: '*' })
    expect(await table.get('titles', { ...sales, title: 'dev' })).toMatchObject({ count: 0 })
    expect(await table.verify(sales)).toEqual([])
  })

  it.each(casesToPlay([1, 2, 3]))(
    'random writes of four programs lose nothing (seed %i)',
    async (seed) => {
      const { account, rival, table } = await opened(4)
      const random = randomOf(seed)
      const programs = [0, 1, 2, 3].map(() => {
        const service = { ...rival().service, random: () => random(1_000) / 1_000 }
        return new (account.constructor as typeof import('@rowkey/mapper').Account)(service).table(
          program(4).Employee,
        )
      })
      for (let step = 0; step < 25; step++) {
        await Promise.all(
          programs.map((staff) => {
            const made = employee(random(8), ['dev', 'ops', undefined][random(3)], random(200))
            const writes = [
              () => staff.insert(made),
              () => staff.insertOrReplace(made),
              () => staff.deleteIfExists(made, { etag: '*' }),
              () => staff.batch().insertOrMerge(made).insertOrMerge(employee(9, 'dev')).submit(),
            ] as const
            return (writes[random(4)] ?? writes[0])().catch(() => undefined)
          }),
        )
        if (step % 8 === 7) expect(await table.rebuild(sales)).toEqual([])
      }
      expect(await table.verify(sales)).toEqual([])
      expect((await table.get('total', sales)).count).toBeGreaterThan(0)
    },
  )

  it('rebuild counts no write twice that adds a row in between', async () => {
    const { staff, table, account, between, rival } = await opened(4)
    await staff.insert(employee(1))
    const rows = account.table('staff')
    await rows.insert({ partitionKey: 'Sales', rowKey: 'empid_000002', salary: 5 })
    between(
      ({ query }) => query.includes('empid_'),
      async () => {
        const service = { ...rival().service, random: () => 0.1 }
        const other = new (account.constructor as typeof import('@rowkey/mapper').Account)(service)
        await other.table(program(4).Employee).insert(employee(3))
      },
    )
    expect(await table.rebuild(sales)).toHaveLength(1)
    expect(await table.get('total', sales)).toEqual({ count: 3, sums: { salary: 7 } })
    expect(await table.verify(sales)).toEqual([])
  })
})
