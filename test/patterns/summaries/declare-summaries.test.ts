import { type Converter, converted, defineEntity, key, union } from '@rowkey/mapper'
import { unsignedInt64 } from '@rowkey/mapper/other-clients'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import { exponentialRetry, type HttpRequest, noRetry } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { casesToPlay, longTest } from '../../support/cases-to-play.ts'
import { isBatch, office } from '../employees.ts'
import { countDeaths } from '../mortal-programs.ts'

/** The employees of one program. A model of its own, because summaries are declared on models. */
function program() {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      title: z.string().optional(),
      salary: z.number().optional(),
      points: z.bigint().optional(),
      phone: z.string().optional(),
    }),
  })
  const summaries = declareSummaries(Employee, {
    staff: { rowKey: key`all`, sums: ['salary', 'points'] },
    byTitle: { rowKey: key`${'title'}`, sums: ['salary'] },
    wellPaid: { rowKey: key`paid_${'title'}`, where: ({ salary = 0 }) => salary > 100 },
  })
  return { Employee, summaries }
}

const sales = { department: 'Sales' }
const employee = (id: number, title?: string, salary?: number) => ({
  ...sales,
  id,
  ...(title !== undefined && { title }),
  ...(salary !== undefined && { salary }),
})

async function opened() {
  const all = office()
  const { Employee, summaries } = program()
  const staff = all.account.table(Employee)
  await staff.create()
  all.sent.length = 0
  return { ...all, Employee, staff, summaries, table: summaries.on(all.account) }
}

/** Tells whether a request writes entities. */
const isWrite = (request: HttpRequest): boolean =>
  isBatch(request) && !String(request.body).includes('~rk~cat')

describe('declareSummaries', () => {
  it('adds up the values of converters, whatever type they are stored as', async () => {
    const { account } = office()
    const digits: Converter<bigint, string> = {
      type: 'String',
      toStored: String,
      fromStored: BigInt,
    }
    const Sale = defineEntity({
      name: 'sales',
      partitionKey: key`${'shop'}`,
      rowKey: key`sale_${'id:6'}`,
      schema: z.object({
        shop: z.string(),
        id: z.int(),
        number: z.number().optional(),
        unsigned: z.bigint().optional(),
        digits: z.bigint().optional(),
      }),
      columns: {
        number: { type: 'Int64' },
        unsigned: converted(unsignedInt64),
        digits: converted(digits),
      },
    })
    const all = { rowKey: key`all`, sums: ['number', 'unsigned', 'digits'] as const }
    const table = declareSummaries(Sale, { all }).on(account)
    const rows = account.table(Sale)
    await rows.create()
    expect((await table.get('all', { shop: 'a' })).sums).toMatchObject({ number: 0, unsigned: 0n })
    for (const id of [1, 2, 3]) {
      await rows.insert({ shop: 'a', id, number: id, unsigned: BigInt(id), digits: 2n ** 60n })
    }
    const { sums } = await table.get('all', { shop: 'a' })
    expect(sums).toEqual({ number: 6, unsigned: 6n, digits: 3n * 2n ** 60n })
    expect((await table.verify()).findings).toEqual([])
  })

  it('R-166: counts and sums are kept in the transaction of the write', async () => {
    const { staff, table, sent } = await opened()
    const jones = await staff.insert({ ...employee(1, 'dev', 100), points: 2n ** 60n })
    expect(sent.filter(isWrite)).toHaveLength(1)
    await staff.insert(employee(2, 'dev', 120.5))
    await staff.insert(employee(3))
    expect(await table.get('staff', sales)).toEqual({
      count: 3,
      sums: { salary: 220.5, points: 2n ** 60n },
    })
    jones.salary = 90
    jones.points = 1n
    await staff.merge(jones)
    expect(await table.get('staff', sales)).toEqual({
      count: 3,
      sums: { salary: 210.5, points: 1n },
    })
    await staff.delete(jones)
    expect(await table.get('staff', sales)).toEqual({
      count: 2,
      sums: { salary: 120.5, points: 0n },
    })
  })

  it('forty writes of one process at once change one summary without a conflict', async () => {
    const { staff, table, sent } = await opened()
    const ids = Array.from({ length: 40 }, (_, id) => id)
    await Promise.all(ids.map((id) => staff.insert(employee(id, 'dev', 1))))
    expect(await table.get('staff', sales)).toMatchObject({ count: 40, sums: { salary: 40 } })
    expect(sent.filter(isWrite)).toHaveLength(40)
  })

  it('forty writes at once by tables of a union, each opened anew, take turns, too', async () => {
    const { account, Employee, table } = await opened()
    const Team = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`team_${'team'}`,
      schema: z.object({ department: z.string(), team: z.string() }),
    })
    const types = union(Employee, Team)
    const open = () => account.table('staff', types).ofType(Employee)
    await Promise.all(Array.from({ length: 40 }, (_, id) => open().insert(employee(id, 'dev', 1))))
    expect(await table.get('staff', sales)).toMatchObject({ count: 40 })
  })

  it('R-166: a changed value moves the entity to another group', async () => {
    const { staff, table } = await opened()
    const jones = await staff.insert(employee(1, 'dev', 100))
    jones.title = 'lead'
    await staff.merge(jones)
    expect(await table.get('byTitle', { ...sales, title: 'dev' })).toMatchObject({ count: 0 })
    const groups: unknown[] = []
    for await (const { group, summary } of table.query('byTitle', sales))
      groups.push([group, summary])
    expect(groups).toEqual([[{ title: 'lead' }, { count: 1, sums: { salary: 100 } }]])
  })

  it('where decides who counts', async () => {
    const { staff, table } = await opened()
    const jones = await staff.insert(employee(1, 'dev', 100))
    const count = async () => (await table.get('wellPaid', { ...sales, title: 'dev' })).count
    expect(await count()).toBe(0)
    jones.salary = 101
    await staff.merge(jones)
    expect(await count()).toBe(1)
  })

  it.each(['batch', 'bulk', 'upserts', 'operations'] as const)(
    'R-166: %s keep the summaries',
    async (way) => {
      const { staff, table } = await opened()
      const all = Array.from({ length: 20 }, (_, id) => employee(id, id % 2 ? 'dev' : 'ops', id))
      const writing = {
        batch: async () => {
          const batch = staff.batch()
          for (const each of all) batch.insert(each)
          await batch.submit()
        },
        bulk: async () => void (await staff.bulk().insert(all)),
        upserts: async () => {
          for (const each of [...all, ...all]) await staff.insertOrReplace(each)
        },
        operations: async () => {
          for (const each of all) await staff.modify(each, () => {}, { orInsert: each })
        },
      }[way]
      await writing()
      expect(await table.get('staff', sales)).toMatchObject({ count: 20, sums: { salary: 190 } })
      expect(await table.get('byTitle', { ...sales, title: 'dev' })).toMatchObject({ count: 10 })
      expect((await table.verify()).findings).toEqual([])
    },
  )

  it('a merge of a property that no summary has sends one request', async () => {
    const { Employee } = program()
    const { account, sent } = office()
    const Counted = defineEntity({
      name: 'counted',
      partitionKey: key`${'department'}`,
      rowKey: key`empid_${'id'}`,
      schema: z.object({ department: z.string(), id: z.string(), phone: z.string().optional() }),
    })
    declareSummaries(Counted, { staff: { rowKey: key`all` } })
    expect(Employee).not.toBe(Counted)
    const counted = account.table(Counted)
    await counted.create()
    const jones = await counted.insert({ ...sales, id: '1' })
    sent.length = 0
    jones.phone = '123'
    await counted.merge(jones)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('R-166: overlapping writers lose no count', async () => {
    const { staff, table, rival } = await opened()
    const programs = Array.from({ length: 4 }, () => rival().table(program().Employee))
    await Promise.all(
      programs.flatMap((each, at) => [
        each.insert(employee(at, 'dev', 1)),
        each.insert(employee(100 + at, 'ops', 1)),
      ]),
    )
    expect(await table.get('staff', sales)).toMatchObject({ count: 8, sums: { salary: 8 } })
    expect(await staff.query().where(sales).count()).toBe(8)
    expect((await table.verify()).findings).toEqual([])
  })

  longTest.each(casesToPlay([1, 2, 3]))(
    'R-166: random writes of three programs end with right summaries (seed %i)',
    async (seed) => {
      const { table, rival } = await opened()
      let state = seed
      const random = (below: number) => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
        return (state >>> 8) % below
      }
      const programs = [0, 1, 2].map(() => rival().table(program().Employee))
      for (let step = 0; step < 40; step++) {
        await Promise.all(
          programs.map((staff) => {
            const made = employee(random(6), ['dev', 'ops', undefined][random(3)], random(200))
            const writes = [
              () => staff.insert(made),
              () => staff.insertOrReplace(made),
              () => staff.deleteIfExists(made, { etag: '*' }),
              () =>
                staff
                  .batch()
                  .insertOrMerge(made)
                  .insertOrMerge(employee(7, 'dev', random(9)))
                  .submit(),
            ] as const
            return (writes[random(4)] ?? writes[0])().catch(() => undefined)
          }),
        )
      }
      expect((await table.verify()).findings).toEqual([])
      expect((await table.get('staff', sales)).count).toBeGreaterThan(0)
    },
  )

  it.each(['before', 'after'] as const)(
    'R-166: whichever request a program dies %s, entities and summaries agree',
    async (dies) => {
      const deaths = await countDeaths(dies, async ({ safe, mortal }) => {
        const { Employee, summaries } = program()
        await safe.table(Employee).create()
        await safe.table(Employee).insert(employee(1, 'dev', 5))
        return {
          write: () =>
            mortal.table(Employee).modify(employee(1), (one) => {
              one.title = 'lead'
            }),
          check: async () => expect((await summaries.on(safe).verify()).findings).toEqual([]),
        }
      })
      // The entity, four summary rows and the transaction.
      expect(deaths).toBeGreaterThanOrEqual(4)
    },
  )

  it('queries of the table never read summaries', async () => {
    const { staff } = await opened()
    await staff.insert(employee(1, 'dev', 1))
    expect(await staff.query().where(sales).count()).toBe(1)
  })

  it('works beside indexes of the same model', async () => {
    const { Employee, summaries } = program()
    declareIndexes(Employee, { phone: { rowKey: key`${'phone'}`, unique: true } })
    const { account } = office()
    const staff = account.table(Employee)
    await staff.create()
    await staff.insert({ ...employee(1), phone: '123' })
    await expect(staff.insert({ ...employee(2), phone: '123' })).rejects.toThrow()
    expect(await summaries.on(account).get('staff', sales)).toMatchObject({ count: 1 })
  })
})

describe('verify and repair', () => {
  it('R-166: find and mend what programs without the declaration wrote', async () => {
    const { staff, table, account } = await opened()
    await staff.insert(employee(1, 'dev', 10))
    const rows = account.table('staff')
    await rows.insert({ partitionKey: 'Sales', rowKey: 'empid_000002', title: 'ops', salary: 5.5 })
    const row = await rows.get(['Sales', 'empid_000001'])
    await rows.merge(row.set('title', 'lead'))
    const { findings } = await table.verify()
    const shown = findings.map(({ name, kind, kept, stored, expected }) => {
      const group = kept?.rowKey.split('~').at(-1)
      return [name, kind, group, stored?.count, expected?.count].join(' ')
    })
    expect(shown.sort()).toEqual([
      'byTitle stale dev 1 0',
      'byTitle stale lead 0 1',
      'byTitle stale ops 0 1',
      'staff stale all 1 2',
    ])
    expect(await table.repair()).toMatchObject({ rows: 2, found: 4, repaired: 4 })
    expect((await table.verify()).findings).toEqual([])
    expect(await table.get('staff', sales)).toMatchObject({ count: 2, sums: { salary: 15.5 } })
    expect(await table.get('byTitle', { ...sales, title: 'dev' })).toMatchObject({ count: 0 })
  })

  it('repair starts again when a writer was in between, and ends right', async () => {
    const { staff, table, account, between, rival } = await opened()
    await staff.insert(employee(1, 'dev', 10))
    await account
      .table('staff')
      .insert({ partitionKey: 'Sales', rowKey: 'empid_000002', title: 'dev' })
    between(isBatch, () =>
      rival()
        .table(program().Employee)
        .insert(employee(3, 'dev', 1)),
    )
    await table.repair()
    expect(await table.get('staff', sales)).toMatchObject({ count: 3, sums: { salary: 11 } })
    expect((await table.verify()).findings).toEqual([])
  })

  it.each([
    ['one attempt', noRetry],
    ['retries', exponentialRetry()],
  ])(
    'repair with %s waits for an insert that may arrive when its group is empty again',
    async (_, retry) => {
      const { account, staff, summaries, table, over } = await opened()
      await account
        .table('staff')
        .insert({ partitionKey: 'Sales', rowKey: 'empid_000001', title: 'dev' })
      const begunAt = account.service.now()
      let late: (() => Promise<unknown>) | undefined
      let isOver = false
      const arrive = async () => {
        isOver = true
        await staff.delete({ ...sales, id: 1 }, { etag: '*' })
        await late?.()
      }
      const network = over((service) => async (request, limits) => {
        if (!isOver && account.service.now() > begunAt + 5_000) await arrive()
        if (late !== undefined || !isWrite(request)) return service(request, limits)
        late = () => service(request, limits)
        throw new Error('late request')
      })
      await summaries.on(network).repair({ retry })
      if (!isOver) await arrive()
      expect((await table.verify()).findings).toEqual([])
    },
  )

  it('verify reports no difference that a writer in between explains', async () => {
    const { staff, table, between, rival } = await opened()
    await staff.insert(employee(1, 'dev', 10))
    between(
      ({ query }) => query.includes('empid_'),
      () =>
        rival()
          .table(program().Employee)
          .insert(employee(3, 'dev', 1)),
    )
    expect((await table.verify()).findings).toEqual([])
  })

  it('verify reports no difference in the last digits of a large sum of fractions', async () => {
    const { staff, table } = await opened()
    for (const [id, salary] of [
      [3, 0.1],
      [2, 0.2],
      [1, 1e15],
    ] as const) {
      await staff.insert(employee(id, undefined, salary))
    }
    const kept = (await table.get('staff', sales)).sums.salary
    expect(kept).not.toBe(1e15 + 0.2 + 0.1) // verify adds them up by their keys
    expect((await table.verify()).findings).toEqual([])
  })
})

describe('declareSummaries rejects', () => {
  it('unknown properties, sums of text and unknown summaries', async () => {
    const { Employee } = program()
    const declare = (rowKey: ReturnType<typeof key>, sums: readonly never[] = []) =>
      declareSummaries(Employee, { one: { rowKey, sums } })
    expect(() => declare(key`${'missing'}`)).toThrow(/not a stored property/)
    expect(() => declare(key`${'title'}`, ['title' as never])).toThrow(
      /staff.title: It is stored as String, so Summary one of staff cannot add it up/,
    )
    const { table, staff } = await opened()
    await expect(table.get('other' as never, sales as never)).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
    expect(staff.name).toBe('staff')
  })
})

describe('sums that do not fit', () => {
  it('reject the write, and name the summary and the property', async () => {
    const { staff, table } = await opened()
    await staff.insert({ ...employee(1), points: 2n ** 63n - 1n, salary: Number.MAX_VALUE })
    const points = staff.insert({ ...employee(2), points: 1n })
    await expect(points).rejects.toMatchObject({
      code: 'SumOutOfRange',
      message: expect.stringMatching(/^Summary staff of staff: the sum of 'points' .* 64 bits/),
    })
    const salary = staff.insert({ ...employee(3), salary: Number.MAX_VALUE })
    await expect(salary).rejects.toThrow(/the sum of 'salary' .* finite/)
    expect(await table.get('staff', sales)).toMatchObject({ count: 1 })
    expect((await table.verify()).findings).toEqual([])
  })
})

describe('values that are not finite', () => {
  it.each([Number.NaN, Infinity, -Infinity])('%d counts and adds nothing', async (value) => {
    const Sample = defineEntity({
      name: 'samples',
      partitionKey: key`${'sensor'}`,
      rowKey: key`at_${'id'}`,
      schema: z.object({
        sensor: z.string(),
        id: z.string(),
        value: z.number().or(z.literal([Number.NaN, Infinity, -Infinity])),
      }),
    })
    const summaries = declareSummaries(Sample, { all: { rowKey: key`all`, sums: ['value'] } })
    const { account } = office()
    const samples = account.table(Sample)
    await samples.create()
    const table = summaries.on(account)
    const sensor = { sensor: 'a' }
    await samples.insert({ ...sensor, id: '1', value: 5 })
    const other = await samples.insert({ ...sensor, id: '2', value })
    expect(await table.get('all', sensor)).toEqual({ count: 2, sums: { value: 5 } })
    expect((await table.verify()).findings).toEqual([])
    await samples.delete(other)
    expect(await table.get('all', sensor)).toEqual({ count: 1, sums: { value: 5 } })
  })
})
