import { defineEntity, key, union } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
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
