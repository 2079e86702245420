import { upgradeTable } from '@rowkey/mapper'
import { memoryQueue } from '@rowkey/patterns'
import { AmbiguousWriteError, ETagMismatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isBatch, office } from '../employees.ts'
import { jones, program, sales, upgraded, working } from './managers.ts'

describe('a migration of a copied property', () => {
  it('lets the worker of far copies refresh them', async () => {
    const { account, departments, Employee, work } = await upgraded(true)
    await upgradeTable(account.table(Employee))
    await work?.on(account).drain()
    expect((await departments.get(sales)).managerName).toBe('JONES')
  })
})

describe('declareCopies across partitions and tables', () => {
  async function eventual() {
    const all = office()
    const work = working(memoryQueue('jobs', { now: () => all.now }))
    const models = program(work)
    const { Employee, Department } = models
    const employees = all.account.table(Employee)
    const departments = all.account.table(Department)
    await Promise.all([employees.create(), departments.create()])
    const deliver = () => work.on(all.account).drain()
    return { ...all, ...models, employees, departments, deliver }
  }

  it('R-151, R-148: the worker brings the copies to another table', async () => {
    const { employees, departments, deliver } = await eventual()
    const employee = await employees.insert({ ...jones })
    await departments.insert({ ...sales, managerId: '223' })
    await deliver()
    expect((await departments.get(sales)).managerName).toBe('Jones')
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    await deliver()
    expect((await departments.get(sales)).managerName).toBe('Jonas')
    await employees.delete(employee)
    await deliver()
    expect((await departments.get(sales)).managerName).toBeUndefined()
  })

  it('an older source never replaces a newer one', async () => {
    const { employees, departments, managers, account, between, rival, Department } =
      await eventual()
    const employee = await employees.insert({ ...jones })
    await departments.insert({ ...sales, managerId: '223' })
    // A second refresh, with a newer source, runs before the first one writes.
    between(
      ({ method, path }) => method === 'PUT' && path.includes('departments'),
      async () => {
        employee.lastName = 'Jonas'
        await employees.merge(employee)
        await managers.on(rival()).refresh(sales)
        expect((await rival().table(Department).get(sales)).managerName).toBe('Jonas')
      },
    )
    await managers.on(account).refresh(sales)
    expect((await departments.get(sales)).managerName).toBe('Jonas')
  })

  it('a write of a refresh that arrives late changes nothing, also when the source has changed back', async () => {
    const { employees, departments, managers, account, between } = await eventual()
    const employee = await employees.insert({ ...jones })
    const filled = { ...sales, managerId: '223', managerName: 'Jones', managerEmail: jones.email }
    await departments.insert(filled)
    const [stored] = await account.table('departments').query().allowTableScan().toArray()
    const etag = stored?.etag ?? ''
    const rename = async (lastName: string) => {
      employee.lastName = lastName
      await employees.merge(employee)
    }
    await rename('Jonas')
    between(
      ({ method, path }) => method === 'PUT' && path.includes('departments'),
      async () => {
        await rename('Jones')
        throw new Error('late request')
      },
    )
    await managers.on(account).refresh(sales)
    const late = departments.replace({ ...filled, managerName: 'Jonas' }, { etag })
    await expect(late).rejects.toThrow(ETagMismatchError)
    expect((await departments.get(sales)).managerName).toBe('Jones')
  })

  it('a refresh whose writes are all lost ends after 10 of them', async () => {
    const { employees, departments, managers, account, between } = await eventual()
    const employee = await employees.insert({ ...jones })
    await departments.insert({ ...sales, managerId: '223' })
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    let lost = 0
    const lose = () =>
      between(
        ({ method, path }) => method === 'PUT' && path.includes('departments'),
        async () => {
          if (++lost < 20) lose()
          throw new Error('lost request')
        },
      )
    lose()
    await expect(managers.on(account).refresh(sales)).rejects.toThrow(AmbiguousWriteError)
    expect(lost).toBe(10)
  })

  it('a write of an unchanged property sends no message', async () => {
    const { employees, departments, deliver, sent } = await eventual()
    const employee = await employees.insert({ ...jones })
    const department = await departments.insert({ ...sales, managerId: '223' })
    await deliver()
    await departments.reload(department)
    sent.length = 0
    employee.age = 50
    department.budget = 7
    await employees.merge(employee)
    await departments.merge(department)
    expect(sent.filter(isBatch)).toEqual([])
  })
})
