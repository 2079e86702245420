import { key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes } from '@rowkey/patterns'
import { beforeAll, describe, expect, it } from 'vitest'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, type Office, office } from '../employees.ts'

const ROWS = 10_000
const PARTITIONS = 10

const rowKeyOf = (id: number) => `empid_${String(id).padStart(6, '0')}`
const employee = (id: number) => ({
  department: `part${id % PARTITIONS}`,
  id,
  firstName: 'Jon',
  lastName: `name${id}`,
  email: `${id}@x`,
})

/** A table with 10,000 rows of a program without indexes, and two indexes that are declared later. */
async function grown(opened: Office) {
  const rows = Array.from({ length: ROWS }, (_, id) => {
    const { department, firstName, lastName, email } = employee(id)
    return new DynamicEntity(department, rowKeyOf(id), { firstName, lastName, mail: email })
  })
  await opened.account.table('employees').create()
  await opened.account.table('employees').bulk().insert(rows)
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`${'email'}`, unique: true },
    lastName: { rowKey: key`${'lastName'}_${'id:6'}` },
  })
  const employees = opened.account.table(Employee)
  return { employees, indexes, indexed: indexes.on(opened.account) }
}

describe('the requests of two indexes over 10,000 rows, as the page of indexes shows them', () => {
  const opened = office()
  let staff: Awaited<ReturnType<typeof grown>>
  const requestsOf = async (work: () => PromiseLike<unknown>): Promise<number> => {
    opened.sent.length = 0
    await work()
    return opened.sent.length
  }
  beforeAll(async () => {
    staff = await grown(opened)
  })

  it('R-146: a build sends at most 500', async () => {
    const count = await requestsOf(() => staff.indexed.build())
    expect(await staff.indexed.state('email')).toBe('readable')
    expect(count).toBeLessThanOrEqual(500)
  })

  it('a second build of a readable index sends 1, and so does its state', async () => {
    expect(await requestsOf(() => staff.indexed.build())).toBe(1)
    expect(await requestsOf(() => staff.indexed.state('email'))).toBe(1)
  })

  it('a verification sends at most 100', async () => {
    const count = await requestsOf(async () => {
      expect(await staff.indexed.verify()).toMatchObject({
        rows: ROWS,
        kept: 2 * ROWS,
        found: 0,
      })
    })
    expect(count).toBeLessThanOrEqual(100)
  })

  it.each([
    ['in their order', 1],
    ['in another order', 7_919], // has no common factor with the number of rows
  ])('a bulk upsert of 10,000 unchanged rows %s sends at most 300', async (_, step) => {
    const rows = Array.from({ length: ROWS }, (_, at) => employee((at * step) % ROWS))
    const count = await requestsOf(async () => {
      expect(await staff.employees.bulk().insertOrReplace(rows)).toMatchObject({ done: ROWS })
    })
    expect(count).toBeLessThanOrEqual(300)
    expect(await staff.indexed.verify()).toMatchObject({ rows: ROWS, found: 0 })
  })

  it('the first row of a query by an index costs 2', async () => {
    const query = staff.indexed.query('lastName', { department: 'part1' })
    const first = async () => {
      for await (const { lastName } of query) return expect(lastName).toBe('name1001')
    }
    await staff.indexed.query('lastName', { department: 'part2' }).first() // reads the catalogue
    expect(await requestsOf(first)).toBe(2)
    expect(await requestsOf(() => query.first())).toBe(2)
  })

  it('a count by an index of 1,000 entities reads entries only', async () => {
    const { lastName } = employee(11)
    const all = staff.indexed.query('lastName', { department: 'part1' })
    const one = staff.indexed.query('lastName', { department: 'part1', lastName })
    expect(
      await requestsOf(async () => expect(await all.count()).toBe(ROWS / PARTITIONS)),
    ).toBeLessThanOrEqual(2)
    expect(await requestsOf(async () => expect(await one.count()).toBe(1))).toBe(1)
    const named = one.where({ firstName: 'Jon' })
    expect(await requestsOf(async () => expect(await named.count()).toBe(1))).toBe(2)
  })
})

describe('the requests of an eventual index over 1,100 rows', () => {
  it('R-147: a build sends at most 60, a verification at most 10 in all, and so does a repair that finds all entries', async () => {
    const { account, sent } = office()
    const count = 1_100 // more than a page
    const rows = Array.from({ length: count }, (_, id) => {
      const { department, firstName, lastName, email } = employee(id)
      return new DynamicEntity(department, rowKeyOf(id), { firstName, lastName, mail: email })
    })
    await account.createTable('lookups')
    await account.createTable('employees')
    await account.table('employees').bulk().insert(rows)
    const Employee = defineEmployee()
    const mail = {
      partitionKey: key`all`,
      rowKey: key`${'email'}_${'department'}_${'id:6'}`,
      table: 'lookups',
    }
    const eventual = declareIndexes(Employee, { mail }, { worker: announcedTo().worker })
    const indexed = eventual.on(account)
    sent.length = 0
    await indexed.build()
    expect(sent.length).toBeLessThanOrEqual(60)
    for (const work of [() => indexed.repair(), () => indexed.verify()]) {
      sent.length = 0
      expect(await work()).toMatchObject({ rows: count, kept: count, found: 0 })
      expect(sent.length).toBeLessThanOrEqual(10)
    }
    const entry = await account.table('lookups').query().allowTableScan().first()
    await account.table('lookups').delete(entry, { etag: '*' })
    sent.length = 0
    expect(await indexed.verify()).toMatchObject({ found: 1, findings: [{ kind: 'missing' }] })
    expect(sent.length).toBeLessThanOrEqual(10)
  })
})
