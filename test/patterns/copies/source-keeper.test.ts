import { type Converter, converted, defineEntity, key, union, upgradeTable } from '@rowkey/mapper'
import { declareCopies } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isBatch, office } from '../employees.ts'
import { countDeaths } from '../mortal-programs.ts'
import { jones, managed, program, sales, upgraded } from './managers.ts'

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
})

describe('declareCopies', () => {
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
