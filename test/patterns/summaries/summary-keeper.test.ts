import { defineEntity, key, union } from '@rowkey/mapper'
import { declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { casesToPlay, longTest } from '../../support/cases-to-play.ts'
import { office } from '../employees.ts'
import { countDeaths } from '../mortal-programs.ts'
import { employee, isWrite, opened, program, sales } from './staff-summaries.ts'

describe('declareSummaries', () => {
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

  it('the last entity of a group leaves it to one that another program inserts meanwhile', async () => {
    const { staff, table, between, rival } = await opened()
    const jones = await staff.insert(employee(1, 'dev', 100))
    const other = rival().table(program().Employee)
    between(isWrite, () => other.insert(employee(2, 'dev', 5)))
    await staff.delete(jones)
    expect(await table.get('staff', sales)).toMatchObject({ count: 1, sums: { salary: 5 } })
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
})
