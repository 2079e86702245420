import { key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { defineEmployee, jones, office } from '../employees.ts'

/** Twelve employees, every third of them a Jones, with indexes that are built. */
export async function staff({ count = 12 } = {}) {
  const opened = office()
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`${'email'}`, unique: true },
    lastName: { rowKey: key`${'lastName'}_${'id:6'}`, project: ['firstName'] },
    ageAndName: { rowKey: key`${'age:3'}${'lastName'}_${'id:6'}` },
    young: { rowKey: key`${'age:3'}${'id:6'}`, where: ({ age = 0 }) => age < 30 },
    reversed: { rowKey: key`${'firstName'}_${'id:8'}` },
  })
  const employees = opened.account.table(Employee)
  const indexed = indexes.on(opened.account)
  await employees.create()
  for (let id = 1; id <= count; id++) {
    const lastName = id % 3 === 0 ? 'Jones' : `Other${id}`
    await employees.insert({ ...jones, id, lastName, email: `${id}@x`, age: 20 + id })
  }
  await indexed.build()
  /** A program without the index. */
  const plain = opened.rival().table(defineEmployee())
  opened.sent.length = 0
  return { ...opened, opened, Employee, indexes, employees, indexed, plain }
}

/** The partition of the employees. */
export const sales = { department: 'Sales' }
