import { defineEntity, key } from '@rowkey/mapper'
import { declareSummaries, type SummaryDefinitions } from '@rowkey/patterns'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { office } from '../employees.ts'

const sales = { department: 'Sales' }
const parts = { name: 'staff', partitionKey: key`${'department'}` }
const fields = { department: z.string(), id: z.int(), title: z.string(), salary: z.number() }
const define = () =>
  defineEntity({ ...parts, rowKey: key`empid_${'id:6'}`, schema: z.object(fields) })
type Entity = { department: string; id: number; title: string; salary: number }
type Definitions = SummaryDefinitions<Entity>

const rowKey = key`sum_${'title'}`
const first = { one: { rowKey, sums: ['salary'] } } as const satisfies Definitions
const employee = (id: number) => ({ ...sales, id, title: 'dev', salary: 10 * id })
const dev = { ...sales, title: 'dev' }

function program(definitions: Definitions) {
  const Employee = define()
  return { Employee, summaries: declareSummaries(Employee, definitions) }
}

async function opened() {
  const { account } = office()
  const { Employee, summaries } = program(first)
  await account.table(Employee).create()
  await account.table(Employee).insert(employee(1))
  return { account, Employee, old: summaries.on(account) }
}

const differs = { code: 'SummaryDiffers', message: expect.stringMatching(/[Cc]all ensure\(\)/) }

describe('a changed declaration of a summary', () => {
  const changes: Readonly<Record<string, Definitions>> = {
    'one property more': { one: { rowKey, sums: ['salary', 'id'] } },
    'one property less': { one: { rowKey } },
    'a where': { one: { rowKey, sums: ['salary'], where: ({ id }) => id > 1 } },
    'another revision': { one: { rowKey, sums: ['salary'], revision: 2 } },
    'another spread': { one: { rowKey, sums: ['salary'], spread: 3 } },
    'another format': { one: { rowKey: key`sum_${'title:escaped'}`, sums: ['salary'] } },
  }

  it.each(Object.entries(changes))(
    '%s: is not read and not written before ensure, by any program',
    async (_, changed) => {
      const { account, Employee, old } = await opened()
      const next = program(changed)
      const table = next.summaries.on(account)
      const staff = account.table(next.Employee)
      await expect(table.get('one', dev)).rejects.toMatchObject(differs)
      await expect(staff.insert(employee(2))).rejects.toMatchObject(differs)
      expect(await staff.query().where(sales).count()).toBe(1)
      await expect(table.verify(sales)).rejects.toMatchObject(differs)
      await expect(table.rebuild(sales)).rejects.toMatchObject(differs)
      expect(await table.ensure()).toMatchObject([
        { kind: 'stale', stored: undefined, repaired: true },
      ])
      expect(await table.ensure()).toEqual([])
      await staff.insert(employee(2))
      expect(await table.verify(sales)).toEqual([])
      expect(await table.get('one', dev)).toMatchObject({
        count: changed.one?.where === undefined ? 2 : 1,
      })
      await expect(old.get('one', dev)).rejects.toMatchObject(differs)
      const late = account.table(Employee).insert(employee(3))
      await expect(late).rejects.toMatchObject(differs)
      expect(await staff.query().where(sales).count()).toBe(2)
    },
  )

  it('another name alone changes nothing', async () => {
    const { account } = await opened()
    const { summaries } = program({ other: first.one })
    expect(await summaries.on(account).get('other', dev)).toEqual({
      count: 1,
      sums: { salary: 10 },
    })
  })
})

describe('a summary of a table that has rows', () => {
  async function grown() {
    const { account, rival, between, sent } = office()
    const Old = define()
    await account.table(Old).create()
    for (const id of [1, 2]) await account.table(Old).insert(employee(id))
    await account.table(Old).insert({ ...employee(3), department: 'Admin' })
    const { Employee, summaries } = program(first)
    return { account, rival, between, sent, staff: account.table(Employee), summaries }
  }

  it('is not read before ensure, and its writes go on', async () => {
    const { account, staff, summaries, sent } = await grown()
    const table = summaries.on(account)
    await expect(table.get('one', dev)).rejects.toMatchObject(differs)
    await staff.insert(employee(4))
    await expect(table.get('one', dev)).rejects.toMatchObject(differs)
    await expect(table.query('one', sales).next()).rejects.toMatchObject(differs)
    expect(await table.ensure()).toHaveLength(2)
    expect(await table.get('one', dev)).toEqual({ count: 3, sums: { salary: 70 } })
    expect(await table.get('one', { ...dev, department: 'Admin' })).toMatchObject({ count: 1 })
    sent.length = 0
    expect(await table.ensure()).toEqual([])
    expect(sent).toHaveLength(1)
  })

  it('counts entities in the partition of the catalogue, too', async () => {
    const { account } = office()
    const department = 'rowkeyindex_'
    await account.table(define()).create()
    await account.table(define()).insert({ ...employee(1), department })
    const table = program(first).summaries.on(account)
    await table.ensure()
    expect(await table.get('one', { ...dev, department })).toMatchObject({ count: 1 })
  })

  it('is made readable by the next program when one dies at any request', async () => {
    for (let life = 0; life < 20; life += CASE_STEP) {
      const { account, rival, staff, summaries } = await grown()
      await staff.insert(employee(4))
      const died = await summaries
        .on(rival(life))
        .ensure()
        .then(
          () => false,
          () => true,
        )
      if (died) await expect(summaries.on(account).get('one', dev)).rejects.toMatchObject(differs)
      await summaries.on(account).ensure()
      expect(await summaries.on(account).get('one', dev)).toMatchObject({ count: 3 })
      expect(await summaries.on(account).verify(sales)).toEqual([])
      if (!died) return
    }
    expect.unreachable('ensure sends more than 20 requests')
  })

  it('is counted again when a write makes a group wrong that agreed by chance', async () => {
    const { account, between, staff, summaries } = await grown()
    await staff.delete({ ...sales, id: 2 }, { etag: '*' })
    await account
      .table('staff')
      .delete(['Sales', 'sum_dev'], { etag: '*' })
      .catch(() => undefined)
    await staff.insert({ ...employee(4), salary: 10 })
    // The row says 1 for employee 4, and the partition has employee 1 alone when it is read.
    const isScan = ({ method, path, query }: HttpRequest) =>
      method === 'GET' && path.endsWith('staff()') && JSON.stringify(query).includes('empid_')
    between(isScan, async () => {
      between(isScan, () => staff.delete({ ...sales, id: 4 }, { etag: '*' }))
    })
    await summaries.on(account).ensure()
    expect(await summaries.on(account).get('one', dev)).toEqual({ count: 1, sums: { salary: 10 } })
    expect(await summaries.on(account).verify(sales)).toEqual([])
  })
})

describe('a summary of a later version of its model', () => {
  const later = (definition: Definitions[string], previous = define()) => {
    const Employee = defineEntity({
      ...parts,
      rowKey: key`empid_${'id:6'}`,
      schema: z.object({ ...fields, salary: z.number() }),
      version: 2,
      previous,
      migrate: (one: Entity) => ({ ...one, salary: one.salary * 100 }),
    })
    return { Employee, summaries: declareSummaries(Employee, { one: definition }) }
  }

  it('is counted anew, because a migration may change what it adds up', async () => {
    const { account } = await opened()
    const { Employee, summaries } = later(first.one)
    const table = summaries.on(account)
    await expect(table.get('one', dev)).rejects.toMatchObject(differs)
    await expect(account.table(Employee).insert(employee(2))).rejects.toMatchObject(differs)
    await table.ensure()
    expect(await table.get('one', dev)).toEqual({ count: 1, sums: { salary: 1_000 } })
  })

  it('stays right when an earlier program writes what it does not add up', async () => {
    const { account, Employee, old } = await opened()
    const next = program({ one: { rowKey, sums: ['id'] } })
    await next.summaries.on(account).ensure()
    const write = account.table(Employee).merge({ ...employee(1), id: 1 }, { etag: '*' })
    await expect(write).rejects.toMatchObject(differs)
    await expect(old.get('one', dev)).rejects.toMatchObject(differs)
    expect(await next.summaries.on(account).get('one', dev)).toEqual({ count: 1, sums: { id: 1 } })
  })

  it('is not rebuilt by an earlier version that cannot read all rows', async () => {
    const { account } = office()
    const First = define()
    const old = declareSummaries(First, first).on(account)
    const next = later({ ...first.one, sameSince: 1 }, First)
    await account.table(First).create()
    await account.table(next.Employee).insert(employee(2))
    const code = 'UnreadableVersion'
    await expect(old.rebuild(sales)).rejects.toMatchObject({ code })
    expect(await next.summaries.on(account).get('one', dev)).toMatchObject({ count: 1 })
  })

  it('goes on with sameSince, and as a count of all entities', async () => {
    const { account } = await opened()
    const shared = later({ ...first.one, sameSince: 1 }).summaries.on(account)
    expect(await shared.get('one', dev)).toMatchObject({ count: 1 })
    const { Employee, summaries } = program({ all: { rowKey: key`all` } })
    await account.table(Employee).insert(employee(7))
    await summaries.on(account).ensure()
    const all = later({ rowKey: key`all` }).summaries.on(account)
    expect(await all.get('one', sales)).toEqual(await summaries.on(account).get('all', sales))
  })
})

describe('two models of one table with a summary of the same RowKey', () => {
  it('reject the second one and leave the first as it is', async () => {
    const { account, old } = await opened()
    const Invoice = defineEntity({ ...parts, rowKey: key`inv_${'id:6'}`, schema: z.object(fields) })
    const summaries = declareSummaries(Invoice, first)
    const clash = {
      code: 'KeptRowClash',
      message: expect.stringMatching(/empid_.*another beginning/),
    }
    const invoices = account.table(Invoice)
    await expect(invoices.insert(employee(5))).rejects.toMatchObject(clash)
    for (const call of ['get', 'verify', 'rebuild'] as const) {
      const table = summaries.on(account)
      const calls = {
        get: () => table.get('one', dev),
        verify: () => table.verify(sales),
        rebuild: () => table.rebuild(sales),
      }
      await expect(calls[call]()).rejects.toMatchObject(clash)
    }
    expect(await old.get('one', dev)).toEqual({ count: 1, sums: { salary: 10 } })
    expect(await old.verify(sales)).toEqual([])
  })
})
