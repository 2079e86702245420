import {
  type Converter,
  converted,
  defineEntity,
  encrypted,
  encryptionKeys,
  key,
  ModelError,
  union,
  upgradeTable,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  declareCopies,
  declareIndexes,
  declareOutbox,
  declareSummaries,
  memoryQueue,
  type Queue,
  type Work,
  worker,
} from '@rowkey/patterns'
import { AmbiguousWriteError, ETagMismatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { isBatch, office } from '../employees.ts'
import { countDeaths } from '../mortal-programs.ts'

/** The departments and employees of one program. Models of its own, because copies are declared on models. */
function define(eventual: boolean) {
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
function program(work?: Work<object>) {
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
function working(queue: Queue): Work<object> {
  return worker({ queue: () => queue, deadLetters: () => memoryQueue('dead') })
}

const jones = { department: 'Sales', id: '223', lastName: 'Jones', email: 'jones@contoso.com' }
const sales = { department: 'Sales' }

async function opened() {
  const all = office()
  const models = program()
  const employees = all.account.table(models.Employee)
  const departments = all.account.table(models.Department)
  await employees.create()
  all.sent.length = 0
  return { ...all, ...models, employees, departments }
}

/** With Jones as the manager of Sales. */
async function managed() {
  const all = await opened()
  const employee = await all.employees.insert({ ...jones })
  const department = await all.managers.on(all.account).fill({ ...sales, managerId: '223' })
  await all.departments.insert(department)
  await all.employees.reload(employee)
  all.sent.length = 0
  return { ...all, employee, department }
}

/** The programs before and after a migration that writes last names in capitals. */
async function upgraded(isFar = false) {
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

describe('a migration of a copied property', () => {
  it('changes the copies with the sources that upgradeTable stores', async () => {
    const { account, departments, Employee } = await upgraded()
    expect((await departments.get(sales)).managerName).toBe('Jones')
    expect(await upgradeTable(account.table(Employee))).toMatchObject({ upgraded: 1 })
    expect((await account.table(Employee).get(jones)).lastName).toBe('JONES')
    expect((await departments.get(sales)).managerName).toBe('JONES')
  })

  it('changes the copies with a write of another property', async () => {
    const { account, departments, Employee } = await upgraded()
    await account.table(Employee).modify(jones, (employee) => {
      employee.email = 'j@contoso.com'
    })
    expect((await departments.get(sales)).managerName).toBe('JONES')
  })

  it('lets the worker of far copies refresh them', async () => {
    const { account, departments, Employee, work } = await upgraded(true)
    await upgradeTable(account.table(Employee))
    await work?.on(account).drain()
    expect((await departments.get(sales)).managerName).toBe('JONES')
  })
})

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

  it.each(['merge', 'replace', 'upsert', 'modify', 'batch', 'bulk'] as const)(
    'R-151: %s of the source updates the copies in the same transaction',
    async (way) => {
      const { departments, employees, employee, sent } = await managed()
      employee.lastName = 'Jonas'
      const writing = {
        merge: () => employees.merge(employee),
        replace: () => employees.replace(employee),
        upsert: () => employees.insertOrReplace(employee),
        modify: () =>
          employees.modify(jones, (each) => {
            each.lastName = 'Jonas'
          }),
        batch: () => employees.batch().merge(employee).submit(),
        bulk: async () => employees.bulk().merge([employee]),
      }[way]
      await writing()
      expect(sent.filter(isBatch)).toHaveLength(1)
      expect(sent.at(-1)).toSatisfy(isBatch)
      expect((await departments.get(sales)).managerName).toBe('Jonas')
    },
  )

  it('a write that changes no copied property reads and writes nothing more', async () => {
    const { employees, employee, sent } = await managed()
    employee.age = 43
    await employees.merge(employee)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('copies a changed value of a class that JSON cannot print', async () => {
    const words: Converter<Set<string>, string> = {
      type: 'String',
      toStored: (value) => [...value].join(' '),
      fromStored: (stored) => new Set(stored.split(' ')),
    }
    const Post = defineEntity({
      name: 'posts',
      partitionKey: key`${'blog'}`,
      rowKey: key`post_${'id'}`,
      schema: z.object({ blog: z.string(), id: z.string(), tags: z.set(z.string()) }),
      columns: { tags: converted(words) },
    })
    const Blog = defineEntity({
      name: 'posts',
      partitionKey: key`${'blog'}`,
      rowKey: key`blog`,
      schema: z.object({ blog: z.string(), last: z.string(), tags: z.set(z.string()).optional() }),
      columns: { tags: converted(words) },
    })
    const copies = declareCopies(Post, Blog, {
      fields: { tags: 'tags' },
      source: ({ blog = 'a', last: id }) => ({ blog, id }),
      holders: ({ blog }) => [{ blog }],
    })
    const { account } = office()
    const posts = account.table(Post)
    await posts.create()
    // A holder may get its copies before it has its whole key.
    const keyless = { last: '1' } as unknown as { blog: string; last: string }
    const post = await posts.insert({ blog: 'a', id: '1', tags: new Set(['new']) })
    const blog = { ...(await copies.on(account).fill(keyless)), blog: 'a' }
    await account.table(Blog).insert(blog)
    await posts.modify(post, (each) => {
      each.tags.add('read')
    })
    expect((await account.table(Blog).get(blog)).tags).toEqual(new Set(['new', 'read']))
  })

  it('an employee who is not the manager changes no copies', async () => {
    const { employees, departments, sent } = await managed()
    const other = await employees.insert({ ...jones, id: '224', lastName: 'Smith' })
    other.lastName = 'Smythe'
    await employees.merge(other)
    expect(sent.filter(isBatch)).toHaveLength(0)
    expect((await departments.get(sales)).managerName).toBe('Jones')
  })

  it('deleting the source removes the copies', async () => {
    const { employees, employee, departments } = await managed()
    await employees.delete(employee)
    expect(await departments.get(sales)).toEqual({ ...sales, managerId: '223' })
    await employees.insert({ ...jones, lastName: 'Jonas' })
    expect((await departments.get(sales)).managerName).toBe('Jonas')
  })

  it('keeps properties of the holder that its model does not declare', async () => {
    const { account, employees, employee, departments } = await managed()
    const row = await account.table('staff').get(['Sales', 'department'])
    await account.table('staff').merge(row.set('other', 'kept'))
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    expect((await departments.get(sales)).managerName).toBe('Jonas')
    expect((await account.table('staff').get(row)).get('other')?.value).toBe('kept')
  })

  it('R-151: rejects a write of the holder whose source is missing, with copies or without', async () => {
    const { departments, department, rival } = await managed()
    const missing = { code: 'InvalidCopy', message: expect.stringContaining('does not exist') }
    const other = { department: 'IT', managerId: 'none' }
    await expect(departments.insert(other)).rejects.toMatchObject(missing)
    const { Employee } = define(false)
    await rival()
      .table(Employee)
      .delete({ ...sales, id: '223' }, { etag: '*' })
    department.managerName = 'Bond'
    await expect(departments.merge(department)).rejects.toMatchObject(missing)
    department.managerName = undefined
    department.managerEmail = undefined
    await departments.replace(department)
  })

  it('R-151: rejects a write of the holder whose copies differ from the source', async () => {
    const { departments, department, managers, account, employees } = await managed()
    await employees.insert({ ...jones, id: '7', lastName: 'Bond', email: undefined })
    department.managerId = '7'
    await expect(departments.merge(department)).rejects.toMatchObject({ code: 'InvalidCopy' })
    department.managerId = 'none'
    await expect(departments.merge(department)).rejects.toThrow(/does not exist\. Insert it first/)
    department.managerId = '7'
    await managers.on(account).fill(department)
    await departments.replace(department)
    expect(await departments.get(sales)).toEqual({ ...sales, managerId: '7', managerName: 'Bond' })
  })

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

  it('plans again when another program changes the holder first', async () => {
    const { employees, employee, departments, between, rival, Department } = await managed()
    between(isBatch, () =>
      rival()
        .table(Department)
        .modify(sales, (each) => {
          each.budget = 100
        }),
    )
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    expect(await departments.get(sales)).toMatchObject({ budget: 100, managerName: 'Jonas' })
  })

  it('an object of the holder that was read before must be read again', async () => {
    const { employees, employee, departments, department } = await managed()
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    department.budget = 5
    await expect(departments.merge(department)).rejects.toThrow(ETagMismatchError)
  })

  it('queries of the source never read the holders', async () => {
    const { employees } = await managed()
    expect(await employees.query().where(sales).count()).toBe(1)
  })

  it('repair mends what a program without the declaration wrote', async () => {
    const { account, departments, managers } = await managed()
    const rows = account.table('staff')
    const row = await rows.get(['Sales', 'empid_223'])
    await rows.merge(row.set('lastName', 'Jonas'))
    const copies = managers.on(account)
    expect(await copies.verify()).toMatchObject({
      rows: 1,
      findings: [{ name: 'copies', kind: 'stale', row: { rowKey: 'department' }, repaired: false }],
    })
    expect(await copies.repair()).toMatchObject({ rows: 1, found: 1, repaired: 1 })
    expect(await copies.repair()).toMatchObject({ rows: 1, found: 0 })
    expect((await departments.get(sales)).managerName).toBe('Jonas')
  })

  it('repair reports a holder that it cannot read, and goes on', async () => {
    const { account, managers } = await managed()
    const rows = account.table('staff')
    await rows.merge((await rows.get(['Sales', 'department'])).set('managerName', 7))
    await rows.insert({ partitionKey: 'Ops', rowKey: 'department', managerName: 'Nobel' })
    expect(await managers.on(account).repair()).toMatchObject({
      rows: 2,
      repaired: 1,
      findings: [
        { kind: 'stale', row: { partitionKey: 'Ops' }, repaired: true },
        {
          kind: 'unreadable',
          row: { partitionKey: 'Sales', rowKey: 'department' },
          error: expect.objectContaining({ code: expect.any(String), name: 'DecodeError' }),
          repaired: false,
        },
      ],
    })
    expect(await rows.get(['Sales', 'department'])).toBeDefined()
  })

  it('repair removes the copies of a source that a program without the declaration deleted', async () => {
    const { account, departments, managers } = await managed()
    await account.table('staff').delete(['Sales', 'empid_223'], { etag: '*' })
    expect(await managers.on(account).repair()).toMatchObject({ rows: 1, repaired: 1 })
    expect((await departments.get(sales)).managerName).toBeUndefined()
  })

  it.each(['before', 'after'] as const)(
    'R-151: whichever request a program dies %s, source and copies agree',
    async (dies) => {
      const deaths = await countDeaths(dies, async ({ safe, mortal }) => {
        const { Employee, Department, managers } = program()
        const employees = safe.table(Employee)
        await employees.create()
        await employees.insert({ ...jones })
        const department = await managers.on(safe).fill({ ...sales, managerId: '223' })
        await safe.table(Department).insert(department)
        return {
          write: () =>
            mortal.table(Employee).modify(jones, (each) => {
              each.lastName = 'Jonas'
            }),
          check: async () => {
            const { lastName } = await employees.get(jones)
            const { managerName } = await safe.table(Department).get(sales)
            expect(managerName).toBe(lastName)
          },
        }
      })
      // Two reads, of the employee and of the department, and the transaction.
      expect(deaths).toBeGreaterThanOrEqual(3)
    },
  )

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

describe('declareCopies in a batch of a union', () => {
  const renamed = { ...jones, lastName: 'Jonas' }
  const managedSales = {
    ...sales,
    managerId: '223',
    managerName: 'Jones',
    managerEmail: jones.email,
  }

  async function opened() {
    const { account } = office()
    const { Employee, Department } = program()
    await account.createTable('staff')
    const rows = account.table('staff', union(Employee, Department))
    return { rows, Employee, Department }
  }

  it.each([
    ['t', key`t${'id'}`],
    ['', key`${'id'}`],
  ])("rejects a source whose RowKeys may begin like those of the holders: '%s'", (_, rowKey) => {
    const partitionKey = key`${'team'}`
    const schema = z.object({ team: z.string(), id: z.string(), title: z.string().optional() })
    const Person = defineEntity({ name: 'staff', partitionKey, rowKey, schema })
    const Team = defineEntity({ name: 'staff', partitionKey, rowKey: key`team_${'id'}`, schema })
    const declare = () =>
      declareCopies(Person, Team, {
        fields: { title: 'title' },
        source: () => undefined,
        holders: () => [],
      })
    expect(declare).toThrow(/are in one partition, and their RowKeys could begin alike/)
  })

  it('removes the copies when a row of another type takes the key of their source', async () => {
    const { account } = office()
    const keys = { name: 'staff', partitionKey: key`${'team'}`, rowKey: key`${'id'}` }
    const schema = z.object({ team: z.string(), id: z.string(), title: z.string().optional() })
    const Person = defineEntity({ ...keys, schema, discriminator: { Kind: 'person' } })
    const Robot = defineEntity({ ...keys, schema, discriminator: { Kind: 'robot' } })
    const Team = defineEntity({ ...keys, schema, discriminator: { Kind: 'team' } })
    declareCopies(Person, Team, {
      fields: { title: 'title' },
      source: ({ team }) => ({ team, id: 'lead' }),
      holders: ({ team }) => [{ team, id: 'team' }],
    })
    const rows = account.table('staff', union(Person, Robot, Team))
    await rows.create()
    const lead = { team: 'a', id: 'lead', title: 'Dr' }
    await rows.batch().insert(Person, lead).submit()
    const team = { team: 'a', id: 'team', title: 'Dr' }
    await rows.batch().insert(Team, team).submit()
    await rows.batch().insertOrReplace(Robot, lead).submit()
    expect(await rows.ofType(Team).get(team)).toEqual({ team: 'a', id: 'team' })
    const wrong = rows.batch().insertOrReplace(Team, team).submit()
    await expect(wrong).rejects.toThrow(/does not exist\. Insert it first/)
    await rows.batch().insertOrReplace(Robot, team).submit()
    await rows.batch().insertOrReplace(Person, lead).submit()
    expect(await rows.ofType(Robot).get(team)).toEqual(team)
  })

  it('stores and deletes an entity together with its copies', async () => {
    const { rows, Employee, Department } = await opened()
    await rows.batch().insert(Department, managedSales).insert(Employee, jones).submit()
    const changed = { ...managedSales, managerName: 'Jonas' }
    const batch = rows.batch().insertOrReplace(Employee, renamed)
    await batch.insertOrReplace(Department, changed).submit()
    expect(await rows.ofType(Department).get(sales)).toMatchObject({ managerName: 'Jonas' })
    await rows
      .batch()
      .delete(Employee, jones, { etag: '*' })
      .delete(Department, sales, { etag: '*' })
      .submit()
    expect(await rows.query().allowTableScan().toArray()).toEqual([])
  })

  it('rejects copies that differ from the entity of the batch', async () => {
    const { rows, Employee, Department } = await opened()
    const both = rows.batch().insert(Employee, renamed).insert(Department, managedSales)
    await expect(both.submit()).rejects.toMatchObject({ code: 'InvalidCopy' })
    await rows.batch().insert(Employee, jones).insert(Department, managedSales).submit()
    const again = rows.batch().insertOrReplace(Employee, renamed)
    await expect(again.insertOrReplace(Department, managedSales).submit()).rejects.toMatchObject({
      code: 'InvalidCopy',
    })
  })
})

describe('a holder with summaries', () => {
  it('keeps their attempts and their names in the errors of writes of its source', async () => {
    const { account, over, rival } = office()
    const { Employee, Department } = program()
    const named = { byManager: { rowKey: key`${'managerName'}` } }
    const summaries = declareSummaries(Department, named, { attempts: 2 })
    const [employees, departments] = [account.table(Employee), account.table(Department)]
    await employees.create()
    await summaries.on(account).state('byManager')
    await employees.insert({ ...jones })
    await departments.insert({
      ...sales,
      managerId: '223',
      managerName: 'Jones',
      managerEmail: jones.email,
    })
    const others = rival().table('staff')
    let batches = 0
    const network = over((service) => async (request, limits) => {
      if (isBatch(request) && !String(request.body).includes('~rk~cat')) {
        batches++
        const [group] = (await others.query().where({ partitionKey: 'Sales' }).toArray()).filter(
          ({ rowKey }) => rowKey.startsWith('~rk~su~'),
        )
        const { rowKey = '' } = group ?? {}
        await others.merge(new DynamicEntity('Sales', rowKey), { etag: '*' })
      }
      return service(request, limits)
    })
    const writing = network.table(Employee).modify({ ...sales, id: '223' }, (employee) => {
      employee.lastName = 'Jonas'
    })
    await expect(writing).rejects.toThrow(/summary byManager/)
    expect(batches).toBe(2)
  })
})

describe('a batch that writes a holder and changes another one by its source', () => {
  it('is rejected when both would change one sum, and stores nothing', async () => {
    const { account } = office()
    const shop = { name: 'shop', partitionKey: key`${'order'}` }
    const Item = defineEntity({
      ...shop,
      rowKey: key`item`,
      schema: z.object({ order: z.string(), title: z.string() }),
    })
    const Line = defineEntity({
      ...shop,
      rowKey: key`line_${'no:1'}`,
      schema: z.object({ order: z.string(), no: z.int(), title: z.string().optional() }),
    })
    declareCopies(Item, Line, {
      fields: { title: 'title' },
      source: ({ order }) => ({ order }),
      holders: ({ order }) => [0, 1].map((no) => ({ order, no })),
    })
    const summaries = declareSummaries(Line, { byTitle: { rowKey: key`${'title'}` } })
    const rows = account.table('shop', union(Item, Line))
    await rows.create()
    await rows.insert({ order: 'a', title: 'cup' })
    await rows.ofType(Line).insert({ order: 'a', no: 0, title: 'cup' })
    const batch = rows
      .batch()
      .insertOrReplace(Item, { order: 'a', title: 'mug' })
      .insert(Line, { order: 'a', no: 1, title: 'mug' })
    await expect(batch.submit()).rejects.toMatchObject({ code: 'InvalidBatch' })
    expect(await summaries.on(account).verify()).toMatchObject({ found: 0 })
  })
})

describe('declareCopies of two models in one holder', () => {
  const shop = { name: 'shop', partitionKey: key`${'order'}` }
  const named = z.object({ order: z.string(), name: z.string() })
  const titled = z.object({ order: z.string(), title: z.string() })

  it('stores the copies of a batch that changes both by one write of the holder', async () => {
    const { account, sent } = office()
    const Customer = defineEntity({ ...shop, rowKey: key`customer`, schema: named })
    const Product = defineEntity({ ...shop, rowKey: key`product`, schema: titled })
    const schema = named.extend(titled.shape)
    const Order = defineEntity({ ...shop, rowKey: key`order`, schema })
    const itself = ({ order }: { readonly order: string }) => ({ order })
    const options = { source: itself, holders: (entity: { order: string }) => [itself(entity)] }
    declareCopies(Customer, Order, { ...options, fields: { name: 'name' } })
    declareCopies(Product, Order, { ...options, fields: { title: 'title' } })
    const announce = async () => {}
    const outbox = declareOutbox(Order, {
      messages: ({ after }) => [after?.name],
      ...announcedTo(announce),
    })
    const rows = account.table('shop', union(Customer, Product, Order))
    await rows.create()
    const order = { order: '1' }
    const stored = rows.batch().insert(Customer, { ...order, name: 'Jones' })
    stored.insert(Product, { ...order, title: 'Chair' })
    await stored.insert(Order, { ...order, name: 'Jones', title: 'Chair' }).submit()
    sent.length = 0
    const changed = rows.batch().insertOrReplace(Customer, { ...order, name: 'Jonas' })
    await changed.insertOrReplace(Product, { ...order, title: 'Table' }).submit()
    expect(sent.filter(isBatch)).toHaveLength(1)
    const copies = { name: 'Jonas', title: 'Table' }
    expect(await rows.ofType(Order).get(order)).toMatchObject(copies)
    expect(await outbox.on(account).pending(order)).toEqual(['Jones', 'Jonas'])
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

describe('a reference that no key can hold, which another client stored,', () => {
  async function stored() {
    const { account } = office()
    const Employee = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`empid_${'id:6'}`,
      schema: z.object({ department: z.string(), id: z.int32(), lastName: z.string() }),
    })
    const Department = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`department`,
      schema: z.object({
        department: z.string(),
        managerId: z.int32().optional(),
        managerName: z.string().optional(),
      }),
    })
    const managers = declareCopies(Employee, Department, {
      fields: { managerName: 'lastName' },
      source: ({ department, managerId: id }) =>
        id === undefined ? undefined : { department, id },
      holders: ({ department }) => [{ department }],
    })
    const [employees, departments] = [account.table(Employee), account.table(Department)]
    await employees.create()
    const values = { managerId: -5, managerName: 'Adams' }
    await account.table('staff').insert(new DynamicEntity('Sales', 'department', values))
    return { employees, departments, copies: managers.on(account) }
  }

  it('does not keep a program from writing sources', async () => {
    const { employees, departments } = await stored()
    await employees.insert({ ...sales, id: 223, lastName: 'Jones' })
    expect(await departments.get(sales)).toMatchObject({ managerId: -5, managerName: 'Adams' })
  })

  it('can be mended, with the copies of the new source', async () => {
    const { employees, departments } = await stored()
    await employees.insert({ ...sales, id: 223, lastName: 'Jones' })
    const mended = { ...sales, managerId: 223 }
    const outdated = departments.replace({ ...mended, managerName: 'Adams' }, { etag: '*' })
    await expect(outdated).rejects.toMatchObject({ code: 'InvalidCopy' })
    await departments.replace({ ...mended, managerName: 'Jones' }, { etag: '*' })
    expect((await departments.get(sales)).managerName).toBe('Jones')
  })

  it('can be removed, but not without its copies', async () => {
    const { departments } = await stored()
    const kept = departments.replace({ ...sales, managerName: 'Adams' }, { etag: '*' })
    await expect(kept).rejects.toMatchObject({ code: 'InvalidCopy' })
    await departments.replace(sales, { etag: '*' })
    expect((await departments.get(sales)).managerName).toBeUndefined()
  })

  it('is reported by a repair, which goes on', async () => {
    const { copies } = await stored()
    expect(await copies.repair()).toMatchObject({
      rows: 1,
      repaired: 0,
      findings: [{ kind: 'unreadable', row: { rowKey: 'department' } }],
    })
  })
})
