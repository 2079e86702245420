import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import {
  declareCopies,
  declareFences,
  declareIndexes,
  declareSeries,
  declareSummaries,
  moveEntity,
  wideEntity,
} from '@rowkey/patterns'
import { type HttpRequest, noRetry, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { program } from './eventual-indexes/followed-staff.ts'

/** An account whose reads go to the secondary first, and its requests. */
function opened() {
  const { transport, connectionString } = localTableService()
  const sent: HttpRequest[] = []
  const account = new Account(
    tableService({
      connectionString: connectionString(),
      locationMode: 'secondaryThenPrimary',
      transport: async (request, limits) => {
        sent.push(request)
        return transport(request, limits)
      },
      retry: noRetry,
      sleep: async () => {},
    }),
  )
  return { account, sent }
}

const sales = { department: 'Sales' }
const jones = { ...sales, id: '1', name: 'Jones' }

/** Stores one employee, and returns what the test runs. */
type Prepare = (account: Account) => Promise<() => Promise<unknown>>

const staffed = async (account: Account) => {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`id_${'id'}`,
    schema: z.object({ department: z.string(), id: z.string(), name: z.string() }),
  })
  const staff = account.table(Employee)
  await staff.create()
  return { Employee, staff }
}

const calls: readonly (readonly [name: string, prepare: Prepare])[] = [
  [
    'take of a fence',
    async (account) => {
      const fences = declareFences((await staffed(account)).Employee).on(account)
      await fences.take(sales, 'import')
      return () => fences.take(sales, 'import')
    },
  ],
  [
    'a guarded write',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      const fence = await declareFences(Employee).on(account).take(sales, 'import')
      return () => staff.insert({ ...jones }, fence.guard())
    },
  ],
  [
    'moveEntity',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      const archive = account.table(Employee, 'archive')
      await archive.create()
      await staff.insert({ ...jones })
      // An earlier call has stored the copy, which is read after the conflict.
      await archive.insert({ ...jones })
      return () => moveEntity(staff, archive, jones)
    },
  ],
  [
    'a rebuild of indexes and a write beside them',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      const indexes = declareIndexes(Employee, { name: { rowKey: key`name_${'name'}_${'id'}` } })
      return async () => {
        await indexes.on(account).rebuild()
        await staff.insertOrReplace({ ...jones })
        await indexes.on(account).verify()
      }
    },
  ],
  [
    'a rebuild of summaries',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      await staff.insert({ ...jones })
      const summaries = declareSummaries(Employee, { all: { rowKey: key`sum_all` } })
      return () => summaries.on(account).rebuild(sales)
    },
  ],
  [
    'refresh of eventual indexes',
    async (account) => {
      const { employees, indexed } = program(account, { now: 0 })
      await employees.create()
      for (const table of ['lookups', 'queues']) await account.createTable(table)
      await indexed.rebuild()
      const jon = { department: 'Sales', id: 1, firstName: 'Jon', email: 'jon@contoso.com' }
      await employees.insert(jon)
      return () => indexed.refresh(jon)
    },
  ],
  [
    'refresh of copies',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      const Department = defineEntity({
        name: 'departments',
        partitionKey: key`${'department'}`,
        rowKey: key`department`,
        schema: z.object({ department: z.string(), managerName: z.string().optional() }),
      })
      const managers = declareCopies(Employee, Department, {
        fields: { managerName: 'name' },
        source: ({ department }) => ({ department, id: '1' }),
        holders: ({ department }) => [{ department }],
        eventual: true,
      })
      await account.table(Department).create()
      await staff.insert({ ...jones })
      await account.table(Department).insert(await managers.on(account).fill({ ...sales }))
      return () => managers.on(account).refresh(sales)
    },
  ],
  [
    'modify of a wide entity',
    async (account) => {
      const { Employee } = await staffed(account)
      const More = defineEntity({
        name: 'staff',
        partitionKey: key`${'department'}`,
        rowKey: key`more_${'id'}`,
        schema: z.object({ department: z.string(), id: z.string(), note: z.string().optional() }),
      })
      const employees = wideEntity(Employee, More).on(account)
      await employees.insert({ ...jones, note: 'x' })
      return () =>
        employees.modify(jones, (employee) => {
          employee.note = 'y'
        })
    },
  ],
  [
    'add to a data series',
    async (account) => {
      const { Employee, staff } = await staffed(account)
      await staff.insert({ ...jones })
      const hours = declareSeries(Employee, { prefix: 'h', slots: 24, type: 'Int32' }).on(account)
      return () => hours.add(jones, 1, 5, { idempotencyKey: 'add-1' })
    },
  ],
]

describe('at an account that reads at the secondary first', () => {
  it.each(calls)(
    '%s reads only at the primary, because it decides what is written',
    async (_, prepare) => {
      const { account, sent } = opened()
      const run = await prepare(account)
      sent.length = 0
      await run()
      expect(sent.some(({ method }) => method === 'GET')).toBe(true)
      expect(sent.filter(({ path }) => path.startsWith('/devstoreaccount1-secondary'))).toEqual([])
    },
  )
})
