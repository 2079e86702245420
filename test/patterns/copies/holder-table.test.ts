import { ETagMismatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isBatch } from '../employees.ts'
import { jones, managed, opened, sales } from './managers.ts'

describe('declareCopies', () => {
  it('a change of the source between fill and write is found', async () => {
    const { departments, managers, account, employees, between, rival, Employee } = await opened()
    await employees.insert({ ...jones })
    const department = await managers.on(account).fill({ ...sales, managerId: '223' })
    between(isBatch, () =>
      rival()
        .table(Employee)
        .modify(jones, (each) => {
          each.lastName = 'Jonas'
        }),
    )
    await expect(departments.insert(department)).rejects.toMatchObject({ code: 'InvalidCopy' })
    expect(await departments.find(sales)).toBeUndefined()
  })

  it('an object of the holder that was read before must be read again', async () => {
    const { employees, employee, departments, department } = await managed()
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    department.budget = 5
    await expect(departments.merge(department)).rejects.toThrow(ETagMismatchError)
  })
})
