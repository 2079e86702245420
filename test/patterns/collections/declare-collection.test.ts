import { defineEntity, key, ModelError } from '@rowkey/mapper'
import { declareCollection, declareIndexes, declareSummaries } from '@rowkey/patterns'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, jones, office } from '../employees.ts'

function models() {
  const Department = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`department`,
    schema: z.object({ department: z.string(), budget: z.number() }),
  })
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({ department: z.string(), id: z.int(), lastName: z.string() }),
  })
  const Review = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`review_${'id:6'}_${'year:4'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      year: z.int(),
      rating: z.int().default(3),
    }),
  })
  return { Department, Employee, Review }
}

const sales = { department: 'Sales' }

async function opened() {
  const all = office()
  const { Department, Employee, Review } = models()
  const staff = declareCollection({ departments: Department, employees: Employee, reviews: Review })
  const table = staff.on(all.account, 'staff')
  await all.account.createTable('staff')
  await table.rows
    .batch()
    .insert(Department, { ...sales, budget: 100 })
    .insert(Employee, { ...sales, id: 2, lastName: 'Smith' })
    .insert(Employee, { ...sales, id: 1, lastName: 'Jones' })
    .insert(Review, { ...sales, id: 1, year: 2025 })
    .submit()
  all.sent.length = 0
  return { ...all, Department, Employee, Review, table }
}

describe('declareCollection', () => {
  it('R-160, R-165: one query reads all types of a partition, each into its own array', async () => {
    const { table, sent } = await opened()
    const { departments, employees, reviews } = await table.read(sales)
    expect(sent).toHaveLength(1)
    expect(departments).toEqual([{ ...sales, budget: 100 }])
    expect(employees.map(({ lastName }) => lastName)).toEqual(['Jones', 'Smith'])
    expect(reviews).toEqual([{ ...sales, id: 1, year: 2025, rating: 3 }])
    expectTypeOf(employees[0]?.lastName).toEqualTypeOf<string | undefined>()
    expectTypeOf(departments[0]?.budget).toEqualTypeOf<number | undefined>()
  })

  it('R-160: the name of the type narrows the entity', async () => {
    const { table } = await opened()
    const shown: (string | number)[] = []
    for await (const row of table.query(sales)) {
      if (row.type === 'departments') shown.push(row.entity.budget)
      else if (row.type === 'employees') shown.push(row.entity.lastName)
      else shown.push(row.entity.year)
    }
    expect(shown).toEqual([100, 'Jones', 'Smith', 2025])
  })

  it('entities that were read can be written, by their own ETags', async () => {
    const { table, account, Employee, sent } = await opened()
    const { employees, departments } = await table.read(sales)
    const [jones] = employees
    const [department] = departments
    if (jones === undefined || department === undefined) throw new TypeError('no rows')
    jones.lastName = 'Jonas'
    sent.length = 0
    await account.table(Employee).merge(jones)
    expect(sent).toMatchObject([
      {
        method: 'PATCH',
        body: '{"PartitionKey":"Sales","RowKey":"empid_000001","lastName":"Jonas"}',
      },
    ])
    department.budget = 120
    await table.rows.merge(department)
    expect((await table.read(sales)).departments[0]?.budget).toBe(120)
  })

  it('an empty partition has empty arrays', async () => {
    const { table } = await opened()
    expect(await table.read({ department: 'Law' })).toEqual({
      departments: [],
      employees: [],
      reviews: [],
    })
  })

  it('reads partitions of several pages', async () => {
    const { table, account, Employee, sent } = await opened()
    const many = Array.from({ length: 1_100 }, (_, id) => ({
      ...sales,
      id: id + 10,
      lastName: 'X',
    }))
    await account.table(Employee).bulk().insert(many)
    sent.length = 0
    const { employees, reviews } = await table.read(sales)
    expect([employees.length, reviews.length]).toEqual([1_102, 1])
    expect(sent).toHaveLength(2)
  })

  it('rejects rows of other types', async () => {
    const { table, account } = await opened()
    await account.table('staff').insert({ partitionKey: 'Sales', rowKey: 'other' })
    await expect(table.read(sales)).rejects.toMatchObject({ code: 'UnknownType' })
  })

  it('skips entries that only a newer program keeps beside a model that keeps rows', async () => {
    const { account } = office()
    const staffOf = (...names: ('email' | 'lastName')[]) => {
      const { Department } = models()
      const Employee = defineEmployee()
      const all = {
        email: { rowKey: key`email_${'email'}`, unique: true },
        lastName: { rowKey: key`name_${'lastName'}_${'id:6'}` },
      }
      declareIndexes(Employee, Object.fromEntries(names.map((name) => [name, all[name]])))
      return declareCollection({ departments: Department, employees: Employee }).on(
        account,
        'staff',
      )
    }
    await account.createTable('staff')
    await staffOf('email', 'lastName').rows.insert({ ...jones })
    const { employees } = await staffOf('email').read(sales)
    expect(employees).toEqual([jones])
    expect(await account.table('staff').query().where({ partitionKey: 'Sales' }).count()).toBe(3)
  })

  it('rejects models that cannot share a partition', async () => {
    const { Department, Employee } = models()
    const Other = defineEntity({
      name: 'staff',
      partitionKey: key`${'region'}`,
      rowKey: key`other_${'id'}`,
      schema: z.object({ region: z.string(), id: z.string() }),
    })
    expect(() => declareCollection({ Department, Other })).toThrow(ModelError)
    expect(() => declareCollection({})).toThrow(/at least one/)
    const { account } = office()
    expect(() => declareCollection({ one: Employee, two: Employee }).on(account, 'staff')).toThrow(
      ModelError,
    )
  })

  it('keeps what its models keep, and reads only their entities', async () => {
    const { account } = office()
    const { Department, Employee } = models()
    const table = declareCollection({ departments: Department, employees: Employee }).on(
      account,
      'staff',
    )
    const summaries = declareSummaries(Employee, { staff: { rowKey: key`summary_staff` } })
    await account.createTable('staff')
    await account.table(Employee).insert({ ...sales, id: 1, lastName: 'Jones' })
    await table.rows
      .batch()
      .insert(Employee, { ...sales, id: 2, lastName: 'Smith' })
      .submit()
    expect(await summaries.on(account).get('staff', sales)).toMatchObject({ count: 2 })
    const { employees } = await table.read(sales)
    expect(employees.map(({ id }) => id)).toEqual([1, 2])
  })

  it('reads rows of an earlier version as entities of their type', async () => {
    const { account } = office()
    const { Department, Employee } = models()
    const Employee2 = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`empid_${'id:6'}`,
      schema: z.object({ department: z.string(), id: z.int(), name: z.string() }),
      version: 2,
      previous: Employee,
      migrate: ({ lastName, ...rest }) => ({ ...rest, name: lastName }),
    })
    const all = { departments: Department, employees: Employee2 }
    const table = declareCollection(all).on(account, 'staff')
    await account.createTable('staff')
    await account.table(Employee).insert({ ...sales, id: 1, lastName: 'Jones' })
    await account.table(Employee2).insert({ ...sales, id: 2, name: 'Smith' })
    const { employees } = await table.read(sales)
    expect(employees.map(({ name }) => name)).toEqual(['Jones', 'Smith'])
    const earlier = declareCollection({ departments: Department, employees: Employee })
    await expect(earlier.on(account, 'staff').read(sales)).rejects.toMatchObject({
      code: 'UnreadableVersion',
    })
  })

  it('reads entities whose properties look like stored keys', async () => {
    const { account } = office()
    const keys = { partitionKey: key`${'partitionKey'}`, rowKey: key`${'rowKey'}` }
    const schema = z.object({ partitionKey: z.string(), rowKey: z.string() })
    const A = defineEntity({ name: 'a', ...keys, schema, discriminator: { type: 'A' } })
    const B = defineEntity({ name: 'b', ...keys, schema, discriminator: { type: 'B' } })
    const table = declareCollection({ as: A, bs: B }).on(account, 'staff')
    await account.createTable('staff')
    const [one, other] = ['1', '2'].map((rowKey) => ({ partitionKey: 'p', rowKey }))
    if (one === undefined || other === undefined) throw new TypeError('no rows')
    await table.rows.batch().insert(A, one).insert(B, other).submit()
    expect(await table.read({ partitionKey: 'p' })).toEqual({ as: [one], bs: [other] })
  })
})
