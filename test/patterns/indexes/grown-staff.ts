import { key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { defineEmployee, jones, office } from '../employees.ts'

/** A table that a program without indexes has written, and the model with indexes of the next program. */
export async function grown(count = 5) {
  const opened = office()
  const old = opened.account.table(defineEmployee())
  await old.create()
  for (let id = 1; id <= count; id++) {
    await old.insert({ ...jones, id, email: `${id}@contoso.com` })
  }
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`${'email'}`, unique: true },
    lastName: { rowKey: key`${'lastName'}_${'id:6'}` },
  })
  const employees = opened.account.table(Employee)
  return {
    ...opened,
    opened,
    old,
    Employee,
    indexes,
    employees,
    indexed: indexes.on(opened.account),
  }
}
