import { defineEntity, key } from '@rowkey/mapper'
import { declareSummaries, type SummaryDefinitions } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
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

const differs = { code: 'SummaryDiffers', message: expect.stringMatching(/run rebuild/) }

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
    '%s: is not read and not written before rebuild, by any program',
    async (_, changed) => {
      const { account, Employee, old } = await opened()
      const next = program(changed)
      const table = next.summaries.on(account)
      const staff = account.table(next.Employee)
      await expect(table.get('one', dev)).rejects.toMatchObject(differs)
      if (changed.one?.spread === undefined) {
        await expect(staff.insert(employee(2))).rejects.toMatchObject(differs)
        expect(await staff.query().where(sales).count()).toBe(1)
      }
      expect(await table.verify(sales)).toMatchObject([{ kind: 'stale', stored: undefined }])
      expect(await table.rebuild(sales)).toMatchObject([{ kind: 'stale', repaired: true }])
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
    await table.rebuild(sales)
    expect(await table.get('one', dev)).toEqual({ count: 1, sums: { salary: 1_000 } })
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
