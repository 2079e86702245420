import { ModelError } from '@rowkey/mapper'
import { declareSnapshots } from '@rowkey/patterns'
import { ETagMismatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, jones, office } from '../employees.ts'

/** The employees of one program. A model of its own, because snapshots are declared on models. */
function program() {
  const Employee = defineEmployee()
  return { Employee, snapshots: declareSnapshots(Employee) }
}

const sales = { department: 'Sales' }

/** Two rows of a ledger, whose sum is always 100. */
async function opened() {
  const all = office()
  const { Employee, snapshots } = program()
  const ledger = all.account.table(Employee)
  await ledger.create()
  await ledger
    .batch()
    .insert({ ...jones, id: 1, age: 60 })
    .insert({ ...jones, id: 2, age: 40 })
    .submit()
  const other = all.rival().table(program().Employee)
  let writes = 0
  const move = async () => {
    const amount = ++writes
    const [one, two] = await other.getMany([
      { ...sales, id: 1 },
      { ...sales, id: 2 },
    ])
    if (one === undefined || two === undefined) throw new TypeError('no rows')
    one.age = (one.age ?? 0) - amount
    two.age = (two.age ?? 0) + amount
    await other.batch().merge(one).merge(two).submit()
  }
  all.sent.length = 0
  return { ...all, ledger, move, table: snapshots.on(all.account) }
}

/** One row in each page, so that a read takes several requests. */
const oneByOne = <Refined>(query: { pageSize(size: number): Refined }) => query.pageSize(1)

describe('declareSnapshots', () => {
  it('R-165: reads a partition over several pages as it was at one moment', async () => {
    const { table, move, between, sent, ledger } = await opened()
    const second = ({ query }: { readonly query: string }) => query.includes('NextRowKey')
    between(second, move)
    const torn = await ledger.query().where(sales).pageSize(1).toArray()
    expect(torn.map(({ age }) => age)).toEqual([60, 41])
    between(second, move)
    sent.length = 0
    const whole = await table.read(sales, oneByOne)
    expect(whole.map(({ age }) => age)).toEqual([57, 43])
    // Version, two pages or more, version; and all of it again.
    expect(sent.filter(({ path }) => path.includes('version_'))).toHaveLength(4)
  })

  it('costs two point reads more', async () => {
    const { table, sent } = await opened()
    expect(await table.read(sales)).toHaveLength(2)
    expect(sent).toHaveLength(3)
  })

  it('returns entities that can be written, and never the version', async () => {
    const { table, ledger } = await opened()
    const [first] = await table.read(sales, (query) => query.where({ age: 60 }))
    if (first === undefined) throw new TypeError('no row')
    first.age = 70
    await ledger.merge(first)
    expect((await ledger.get({ ...sales, id: 1 })).age).toBe(70)
    expect(await ledger.query().where(sales).count()).toBe(2)
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'R-165: a transaction before request %i of a read is seen whole or not at all',
    async (at) => {
      const { table, move, between } = await opened()
      let count = 0
      between(() => ++count === at, move)
      const rows = await table.read(sales, oneByOne)
      expect(rows.reduce((sum, { age = 0 }) => sum + age, 0)).toBe(100)
      expect(rows).toHaveLength(2)
    },
  )

  it('gives up after five reads', async () => {
    const { table, move, between, sent } = await opened()
    const each = () =>
      between(
        ({ query }) => query.includes('filter'),
        async () => {
          await move()
          each()
        },
      )
    each()
    await expect(table.read(sales)).rejects.toThrow(ETagMismatchError)
    expect(sent.filter(({ path }) => path.includes('version_'))).toHaveLength(10)
  })

  it('reads an empty partition', async () => {
    const { table } = await opened()
    expect(await table.read({ department: 'Law' })).toEqual([])
  })

  it('rejects a RowKey that an entity could have', () => {
    expect(() => declareSnapshots(defineEmployee(), { rowKey: 'empid_' })).toThrow(ModelError)
  })
})
