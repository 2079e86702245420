import { defineEntity, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareCopies, declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { counted, defineDepartment, defineEmployee, inDepartment, jones, sales } from './costs.ts'

describe('the costs of kept rows that the pages of patterns show', () => {
  it.each([true, false])('R-151: copies, declared: %s', async (isDeclared) => {
    const { account, costOf } = counted()
    const [employee, department] = [defineEmployee(), defineDepartment()]
    const declare = () =>
      declareCopies(employee, department, {
        fields: { managerName: 'lastName' },
        source: ({ managerId: id }) => (id === undefined ? undefined : { ...sales, id }),
        holders: () => [sales],
      })
    const copies = isDeclared ? declare() : undefined
    const employees = account.table(employee)
    const departments = account.table(department)
    await employees.create()
    const one = await employees.insert(jones)
    const filled = { ...sales, managerId: 223, managerName: 'Jones' }
    await copies?.on(account).fill(filled)
    // The first write of a table reads the catalogue.
    await departments.insert({ department: 'Other' })
    const insert = await costOf(() => departments.insert(filled))
    const read = await costOf(() => departments.get(sales))
    const held = await departments.get(sales)
    const again = await employees.get(one)
    Object.assign(again, { lastName: 'Jonas' })
    Object.assign(held, { managerName: 'Jonas' })
    const change = await costOf(() =>
      isDeclared
        ? employees.merge(again)
        : account
            .table('staff')
            .batch()
            .merge(new DynamicEntity('Sales', 'empid_000223', { lastName: 'Jonas' }), { etag: '*' })
            .merge(new DynamicEntity('Sales', 'department', { managerName: 'Jonas' }), {
              etag: '*',
            })
            .submit(),
    )
    expect({ insert, read, change }).toEqual(
      isDeclared
        ? { insert: [2, 918, 1_326], read: [1, 0, 263], change: [2, 1_009, 1_115] }
        : { insert: [1, 122, 0], read: [1, 0, 263], change: [1, 871, 852] },
    )
  })

  it.each([0, 1, 2])('R-166: %d summaries', async (count) => {
    const { account, costOf } = counted()
    const Employee = defineEntity({
      ...inDepartment,
      name: 'employees',
      rowKey: key`empid_${'id:6'}`,
      schema: z.object({
        department: z.string(),
        id: z.int(),
        title: z.string().optional(),
        salary: z.number(),
      }),
    })
    const staff = { rowKey: key`all`, sums: ['salary'] } as const
    const byTitle = { rowKey: key`${'title'}` }
    if (count > 0) declareSummaries(Employee, count === 1 ? { staff } : { staff, byTitle })
    const employees = account.table(Employee)
    await employees.create()
    await employees.insert({ ...sales, id: 1, title: 'dev', salary: 100 })
    const insert = await costOf(() =>
      employees.insert({ ...sales, id: 2, title: 'dev', salary: 120 }),
    )
    const one = await employees.get({ ...sales, id: 2 })
    one.salary = 130
    const salary = await costOf(() => employees.merge(one))
    one.title = 'lead'
    const title = await costOf(() => employees.merge(one))
    const remove = await costOf(() => employees.delete(one))
    expect({ insert, salary, title, remove }).toEqual(
      [
        { insert: [1, 110, 0], salary: [1, 96, 0], title: [1, 63, 0], remove: [1, 0, 0] },
        {
          insert: [2, 1_055, 1_413],
          salary: [2, 1_113, 1_171],
          title: [1, 63, 0],
          remove: [2, 984, 1_117],
        },
        {
          insert: [3, 1_548, 2_008],
          salary: [2, 1_112, 1_171],
          title: [3, 1_426, 1_938],
          remove: [3, 1_334, 1_660],
        },
      ][count],
    )
  })
})
