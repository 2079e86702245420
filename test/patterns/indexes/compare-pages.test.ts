import { key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { pageComparison } from '../../../packages/patterns/src/indexes/compare-pages.ts'
import { EntityIndex } from '../../../packages/patterns/src/indexes/index-entry.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { defineEmployee, office } from '../employees.ts'

const ROWS = 2_500
const idOf = (id: number) => String(id).padStart(6, '0')

/** Rows with entries in another table; some entries are missing, and some have no row. No test changes them. */
const staffed = staff()

async function staff(flavour?: 'cosmos') {
  const { account } = office(flavour)
  const Employee = defineEmployee()
  const ids = Array.from({ length: ROWS }, (_, id) => id)
  const mail = {
    partitionKey: key`all`,
    rowKey: key`${'email'}_${'department'}_${'id:6'}`,
    table: 'lookups',
  }
  const table = { service: account.service, name: 'employees' }
  const index = new EntityIndex('mail', Employee, mail as never).in(table)
  const entry = (id: number) =>
    new DynamicEntity('all', `${index.beginning}${idOf(id)}@x_Sales_${idOf(id)}`, {
      IndexedPartitionKey: 'Sales',
      IndexedRowKey: `empid_${idOf(id)}`,
    })
  const row = (id: number) =>
    new DynamicEntity('Sales', `empid_${idOf(id)}`, { firstName: 'Jon', mail: `${idOf(id)}@x` })
  await account.createTable('employees')
  await account.createTable('lookups')
  await account
    .table('employees')
    .bulk()
    .insert(ids.filter((id) => id !== 2_100).map(row))
  await account
    .table('lookups')
    .bulk()
    .insert(ids.filter((id) => id !== 7).map(entry))
  const follower = {
    writeTimeout: 10_000,
    pending: async () => () => false,
    follow: async () => {},
  }
  const comparison = pageComparison(Employee, () => follower, 1)
  const scrub = { table, definitions: [index], repair: false, concurrency: 8, options: {} }
  return { comparison, scrub: { ...scrub, alive: async () => {} } }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('a comparison in several passes', () => {
  longTest('R-147: finds in each pass what is wrong among its entries', async () => {
    const { comparison, scrub } = await staffed
    const parts = await all(comparison(scrub, undefined))
    expect(parts.map(({ rows, kept }) => [rows, kept])).toEqual([
      [ROWS - 1, 1_000],
      [0, 1_000],
      [0, ROWS - 2_001],
      [0, 0],
    ])
    expect(parts.map(({ findings }) => findings.map(({ kind }) => kind))).toEqual([
      ['missing'],
      [],
      ['dangling'],
      [],
    ])
    expect(parts.at(-1)?.next).toBeUndefined()
  })

  longTest(
    'R-147: reads all entries in one pass on Cosmos DB, which does not sort them',
    async () => {
      const { comparison, scrub } = await staff('cosmos')
      const parts = await all(comparison(scrub, undefined))
      expect(parts.map(({ rows, kept }) => [rows, kept])).toEqual([[ROWS - 1, ROWS - 1]])
      const kinds = parts.flatMap(({ findings }) => findings.map(({ kind }) => kind))
      expect(kinds.toSorted()).toEqual(['dangling', 'missing'])
    },
  )

  longTest('R-147: continues after the pass that ended last', async () => {
    const { comparison, scrub } = await staffed
    const [first] = await all(comparison(scrub, undefined))
    const rest = await all(comparison(scrub, first?.next))
    expect(rest.map(({ kept }) => kept)).toEqual([1_000, ROWS - 2_001, 0])
  })

  it('rejects a place of another comparison', async () => {
    const { comparison, scrub } = await staffed
    for (const from of ['', '{', 'after:x', '{"at":7}', '{"at":0,"after":1}']) {
      await expect(all(comparison(scrub, from))).rejects.toMatchObject({
        code: 'InvalidPatternOption',
      })
    }
  })
})
