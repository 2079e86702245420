import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, union } from '@rowkey/mapper'
import { declareIndexes, declareOutbox, declareSummaries } from '@rowkey/patterns'
import { tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import { defineDepartment } from './costs.ts'
import { defineEmployee, jones, office } from './employees.ts'

const sales = { department: 'Sales' }

describe.each(['storage', 'cosmos'] as const)('the recipes, on %s', (flavour) => {
  it('R-153: an inverted time sorts the newest rows of a partition first', async () => {
    const { account } = office(flavour)
    const Login = defineEntity({
      name: 'logins',
      partitionKey: key`${'user'}`,
      rowKey: key`${'at:inverted'}`,
      schema: z.object({ user: z.string(), at: z.date() }),
    })
    const logins = account.table(Login)
    await logins.create()
    for (let day = 10; day < 30; day++) await logins.insert({ user: 'a', at: new Date(day) })
    const latest = await logins.query().inPartitions(['a']).take(3).toArray()
    expect(latest.map(({ at }) => at.getTime())).toEqual([29, 28, 27])
  })

  it('R-160, R-165: one query reads all types of a partition, in the order of their RowKeys', async () => {
    const { account } = office(flavour)
    const [Employee, Department] = [defineEmployee(), defineDepartment()]
    const staff = account.table('staff', union(Department, Employee))
    await staff.create()
    await staff.batch().insert(Department, sales).insert(Employee, jones).submit()
    for (const id of [7, 5]) await staff.insert({ ...jones, id })
    const rows = await staff.query().inPartitions(['Sales']).toArray()
    expect(rows.map((row) => ('id' in row ? row.id : 'department'))).toEqual([
      'department',
      5,
      7,
      223,
    ])
  })

  it('R-148: a worker whose lock another one has taken writes nothing', async () => {
    const { account } = office(flavour)
    const Lock = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`lock_${'work'}`,
      schema: z.object({ department: z.string(), work: z.string(), worker: z.string() }),
    })
    const staff = account.table('staff', union(defineEmployee(), Lock))
    await staff.create()
    const take = (worker: string) =>
      staff.ofType(Lock).insertOrReplace({ department: 'Sales', work: 'import', worker })
    const [slow, fast] = [await take('a'), await take('b')]
    const write = (lock: typeof slow, id: number) =>
      staff
        .batch()
        .replace(lock)
        .insert({ ...jones, id })
        .submit()
    await write(fast, 1)
    await write(fast, 2) // the batch has updated its ETag
    await expect(write(slow, 3)).rejects.toMatchObject({ status: 412 })
    expect(await staff.query().where(sales).count()).toBe(3)
  })
})

it('deletes all rows of a tenant: entities, what patterns keep beside them, and markers', async () => {
  let now = 1_000_000_000_000
  const { transport, connectionString } = localTableService({ now: () => now })
  const open = (exactWrites: boolean) =>
    new Account(
      tableService({
        connectionString: connectionString(),
        transport,
        exactWrites,
        now: () => now,
      }),
    )
  const Employee = defineEmployee()
  declareIndexes(Employee, { email: { rowKey: key`email_${'email'}`, unique: true } })
  declareSummaries(Employee, { staff: { rowKey: key`summary_staff` } })
  declareOutbox(Employee, { messages: ({ after }) => [after?.id ?? 0], ...announcedTo() })
  const account = open(true)
  await account.table(Employee).create()
  await account.table(Employee).insert({ ...jones })
  await account.table(Employee).insert({ ...jones, id: 2, email: 'other', department: 'Marketing' })

  const all = open(false).table('employees') // without the model: it also sees what is kept
  const { done } = await all.deletePartition('Sales')
  expect(done).toBeGreaterThan(3)
  expect(await all.query().where({ partitionKey: 'Sales' }).toArray()).toEqual([])
  now += 600_000
  expect(await all.sweepMarkers({ olderThan: 600_000 })).toBeGreaterThan(0)
  expect(await all.sweepMarkers({ olderThan: 600_000 })).toBe(0)
  expect(await account.table(Employee).query().where({ department: 'Marketing' }).count()).toBe(1)
})
