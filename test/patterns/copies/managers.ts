import { defineEntity, key } from '@rowkey/mapper'
import { declareCopies, memoryQueue, type Queue, type Work, worker } from '@rowkey/patterns'
import { z } from 'zod'
import { office } from '../employees.ts'

/** The departments and employees of one program. Models of its own, because copies are declared on models. */
export function define(eventual: boolean) {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id'}`,
    schema: z.object({
      department: z.string(),
      id: z.string(),
      lastName: z.string(),
      email: z.string().optional(),
      age: z.int32().optional(),
    }),
    storeAs: { email: 'mail' },
  })
  const Department = defineEntity({
    name: eventual ? 'departments' : 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`department`,
    schema: z.object({
      department: z.string(),
      budget: z.number().optional(),
      managerId: z.string().optional(),
      managerName: z.string().optional(),
      managerEmail: z.string().optional(),
    }),
  })
  return { Employee, Department }
}

/** The departments and employees of one program, with copies. */
export function program(work?: Work<object>) {
  const { Employee, Department } = define(work !== undefined)
  const managers = declareCopies(Employee, Department, {
    fields: { managerName: 'lastName', managerEmail: 'email' },
    source: ({ department, managerId: id }) => (id === undefined ? undefined : { department, id }),
    holders: ({ department }) => [{ department }],
    worker: work,
  })
  return { Employee, Department, managers }
}

/** A worker of a queue in memory. */
export function working(queue: Queue): Work<object> {
  return worker({ queue: () => queue, deadLetters: () => memoryQueue('dead') })
}

/** The manager of Sales. */
export const jones = {
  department: 'Sales',
  id: '223',
  lastName: 'Jones',
  email: 'jones@contoso.com',
}

/** The key of a department. */
export const sales = { department: 'Sales' }

/** The tables of an empty office. */
export async function opened() {
  const all = office()
  const models = program()
  const employees = all.account.table(models.Employee)
  const departments = all.account.table(models.Department)
  await employees.create()
  all.sent.length = 0
  return { ...all, ...models, employees, departments }
}

/** With Jones as the manager of Sales. */
export async function managed() {
  const all = await opened()
  const employee = await all.employees.insert({ ...jones })
  const department = await all.managers.on(all.account).fill({ ...sales, managerId: '223' })
  await all.departments.insert(department)
  await all.employees.reload(employee)
  all.sent.length = 0
  return { ...all, employee, department }
}

/** The programs before and after a migration that writes last names in capitals. */
export async function upgraded(isFar = false) {
  const all = office()
  const { account } = all
  const queue = memoryQueue('jobs', { now: () => all.now })
  const [earlier, work] = isFar ? [working(queue), working(queue)] : []
  const one = program(earlier)
  const two = {
    Employee: defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`empid_${'id'}`,
      schema: z.object({
        department: z.string(),
        id: z.string(),
        lastName: z.string(),
        email: z.string().optional(),
      }),
      storeAs: { email: 'mail' },
      version: 2,
      previous: one.Employee,
      migrate: (earlier) => ({ ...earlier, lastName: earlier.lastName.toUpperCase() }),
    }),
    Department: define(isFar).Department,
  }
  const managers = declareCopies(two.Employee, two.Department, {
    fields: { managerName: 'lastName', managerEmail: 'email' },
    source: ({ department, managerId: id }) => (id === undefined ? undefined : { department, id }),
    holders: ({ department }) => [{ department }],
    worker: work,
    sameSince: 1,
  })
  const departments = account.table(one.Department)
  await account.createTable('staff')
  if (isFar) await departments.create()
  await account.table(one.Employee).insert({ ...jones })
  await departments.insert(await one.managers.on(account).fill({ ...sales, managerId: '223' }))
  return { ...all, departments, managers, work, Employee: two.Employee }
}
