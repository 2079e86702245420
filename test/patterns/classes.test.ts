import { decorate, Entity, key, modelOf, Property } from '@rowkey/mapper'
import { declareCopies, declareSummaries } from '@rowkey/patterns'
import { expect, it } from 'vitest'
import { office } from './employees.ts'

class Employee {
  department = ''
  id = 0
  name = ''
}
decorate(
  Employee,
  Entity({ name: 'staff', partitionKey: key`${'department'}`, rowKey: key`empid_${'id:6'}` }),
  { name: Property('String') },
)

class Department {
  department = ''
  managerId = 0
  managerName?: string
}
decorate(
  Department,
  Entity({ name: 'staff', partitionKey: key`${'department'}`, rowKey: key`department` }),
  { managerId: Property('Int32'), managerName: Property('String') },
)

it('writes of a class keep the patterns of its model', async () => {
  const { account } = office()
  const managers = declareCopies(modelOf(Employee), modelOf(Department), {
    fields: { managerName: 'name' },
    source: ({ department, managerId: id }) => ({ department, id }),
    holders: ({ department }) => [{ department }],
  })
  const counts = declareSummaries(modelOf(Employee), { staff: { rowKey: key`summary_staff` } })
  const employees = account.table(Employee)
  const departments = account.table(Department)
  await employees.create()
  const jones = await employees.insert({ department: 'Sales', id: 1, name: 'Jones' })
  await departments.insert(await managers.on(account).fill({ department: 'Sales', managerId: 1 }))

  jones.name = 'Jonas'
  await employees.replace(jones, { etag: '*' })

  expect((await departments.get({ department: 'Sales' })).managerName).toBe('Jonas')
  expect((await counts.on(account).get('staff', { department: 'Sales' })).count).toBe(1)
})

it('a class in place of its model is rejected with the call that makes the model', () => {
  expect(() => declareSummaries(Employee as never, {})).toThrow(/modelOf\(…\) of a class/)
})
