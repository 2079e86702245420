import { key } from '@rowkey/mapper'
import { declareSummaries } from '@rowkey/patterns'
import { defineEmployee, office } from '../employees.ts'
import { sales } from './staff-summaries.ts'

/** Two employees named Jones. Then another program makes the second one unreadable, and adds a third one. */
export async function unreadableStaff() {
  const all = office()
  const Employee = defineEmployee()
  const summaries = declareSummaries(Employee, {
    staff: { rowKey: key`all`, sums: ['age'] },
  })
  const employees = all.account.table(Employee)
  await employees.create()
  for (const id of [1, 2]) {
    await employees.insert({ ...sales, id, firstName: 'Jon', lastName: 'Jones', age: id })
  }
  const rows = all.account.table('employees')
  await rows.merge((await rows.get(['Sales', 'empid_000002'])).set('age', 'old'))
  const added = { firstName: 'Ann', lastName: 'Jones', age: 3 }
  await rows.insert({ partitionKey: 'Sales', rowKey: 'empid_000003', ...added })
  all.sent.length = 0
  return {
    ...all,
    employees,
    rows,
    summed: summaries.on(all.account),
  }
}
