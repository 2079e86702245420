import { defineEntity, encrypted, encryptionKeys, key, ModelError } from '@rowkey/mapper'
import { declareCopies, declareIndexes, declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { jones, managed, program, sales } from './managers.ts'

describe('declareCopies', () => {
  it('R-151, R-165: one point read returns the department and the details of its manager', async () => {
    const { departments, sent } = await managed()
    expect(await departments.get(sales)).toEqual({
      ...sales,
      managerId: '223',
      managerName: 'Jones',
      managerEmail: 'jones@contoso.com',
    })
    expect(sent).toHaveLength(1)
  })

  it('queries of the source never read the holders', async () => {
    const { employees } = await managed()
    expect(await employees.query().where(sales).count()).toBe(1)
  })

  it('rejects a plain copy of an encrypted property', () => {
    const keys = encryptionKeys({ current: 'a', keys: { a: new Uint8Array(32) } })
    const schema = z.object({ id: z.string(), ssn: z.string().optional() })
    const define = (rowKey: typeof first, isSecret: boolean) =>
      defineEntity({
        name: 'people',
        partitionKey: key`${'id'}`,
        rowKey,
        schema,
        ...(isSecret && { columns: { ssn: encrypted(keys) } }),
      })
    const first = key`person`
    const declare = (isSecret: boolean) =>
      declareCopies(define(first, true), define(key`copy`, isSecret), {
        fields: { ssn: 'ssn' },
        source: ({ id }) => ({ id }),
        holders: ({ id }) => [{ id }],
      })
    expect(() => declare(false)).toThrow(/people\.ssn: It would show 'ssn', which is encrypted/)
    expect(() => declare(true)).not.toThrow()
  })

  it('rejects properties that are not stored, and holders in another partition', async () => {
    const { Employee, Department } = program()
    const declare = (fields: object) =>
      declareCopies(Employee, Department, { fields, source: () => undefined, holders: () => [] })
    expect(() => declare({ managerName: 'missing' })).toThrow(ModelError)
    expect(() => declare({ missing: 'lastName' })).toThrow(ModelError)
    declareCopies(Employee, Department, {
      fields: { managerName: 'lastName' },
      source: () => undefined,
      holders: () => [{ department: 'Marketing' }],
    })
    const { account } = office()
    await account.createTable('staff')
    await expect(account.table(Employee).insert({ ...jones })).rejects.toThrow(/another partition/)
  })
})

describe('declareCopies beside other declarations', () => {
  const name = 'staff'
  const partitionKey = key`${'department'}`

  it('R-151: a holder may have copies of several entities of one model', async () => {
    const { account } = office()
    const Employee = defineEntity({
      name,
      partitionKey,
      rowKey: key`empid_${'id'}`,
      schema: z.object({ department: z.string(), id: z.string(), lastName: z.string() }),
    })
    const Department = defineEntity({
      name,
      partitionKey,
      rowKey: key`department`,
      schema: z.object({
        department: z.string(),
        managerId: z.string(),
        managerName: z.string().optional(),
        deputyId: z.string(),
        deputyName: z.string().optional(),
      }),
    })
    const holders = () => [sales]
    const managers = declareCopies(Employee, Department, {
      fields: { managerName: 'lastName' },
      source: ({ department, managerId: id }) => ({ department, id }),
      holders,
    })
    const deputies = declareCopies(Employee, Department, {
      fields: { deputyName: 'lastName' },
      source: ({ department, deputyId: id }) => ({ department, id }),
      holders,
    })
    const [employees, departments] = [account.table(Employee), account.table(Department)]
    await employees.create()
    await employees.insert({ ...sales, id: '1', lastName: 'Jones' })
    const department = await managers.on(account).fill({ ...sales, managerId: '1', deputyId: '1' })
    await departments.insert(await deputies.on(account).fill(department))
    await employees.modify({ ...sales, id: '1' }, (jones) => {
      jones.lastName = 'Jonas'
    })
    expect(await departments.get(sales)).toMatchObject({
      managerName: 'Jonas',
      deputyName: 'Jonas',
    })
  })

  it('R-151: indexes and summaries of a holder follow its copies', async () => {
    const { account } = office()
    const { Employee, Department, managers } = program()
    const indexes = declareIndexes(Department, {
      byManager: { rowKey: key`${'managerName'}`, unique: true },
    })
    const summaries = declareSummaries(Department, {
      byManager: { rowKey: key`${'managerName'}` },
    })
    const [employees, departments] = [account.table(Employee), account.table(Department)]
    await employees.create()
    await indexes.on(account).state('byManager')
    await employees.insert({ ...jones })
    await departments.insert(await managers.on(account).fill({ ...sales, managerId: '223' }))
    for (const lastName of ['Jonas', 'Jones', 'Jonas']) {
      await employees.modify({ ...sales, id: '223' }, (employee) => {
        employee.lastName = lastName
      })
    }
    expect(
      await departments
        .query()
        .where({ ...sales, managerName: 'Jonas' })
        .count(),
    ).toBe(1)
    expect((await indexes.on(account).verify()).found).toBe(0)
    expect(await summaries.on(account).verify()).toMatchObject({ found: 0 })
  })

  it('rejects a batch that changes an entity and its copies at once', async () => {
    const { account } = office()
    const Employee = defineEntity({
      name,
      partitionKey,
      rowKey: key`empid_${'id'}`,
      schema: z.object({
        department: z.string(),
        id: z.string(),
        lastName: z.string(),
        bossId: z.string().optional(),
        bossName: z.string().optional(),
      }),
    })
    const bosses = declareCopies(Employee, Employee, {
      fields: { bossName: 'lastName' },
      source: ({ department, bossId: id }) => (id === undefined ? undefined : { department, id }),
      holders: ({ department, id }) => (id === '1' ? [{ department, id: '2' }] : []),
    })
    const employees = account.table(Employee)
    await employees.create()
    await employees.insert({ ...sales, id: '1', lastName: 'Jones' })
    const smith = { ...sales, id: '2', lastName: 'Smith', bossId: '1' }
    await employees.insert(await bosses.on(account).fill(smith))
    const [boss, other] = await employees.query().where(sales).allowPartitionScan().toArray()
    if (boss === undefined || other === undefined) throw new Error('two employees')
    boss.lastName = 'Jonas'
    other.lastName = 'Smart'
    await expect(employees.batch().merge(boss).merge(other).submit()).rejects.toMatchObject({
      code: 'InvalidCopy',
    })
    await employees.merge(boss)
    expect(await employees.get({ ...sales, id: '2' })).toMatchObject({
      lastName: 'Smith',
      bossName: 'Jonas',
    })
  })
})
