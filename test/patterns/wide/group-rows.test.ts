import { describe, expect, it } from 'vitest'
import { FirstHalf, jones, opened } from './stats.ts'

describe('wideEntity', () => {
  it('reads the entities of a partition by one query, and ignores rows of other types', async () => {
    const { stats, account, sent } = await opened()
    for (const employee of [3, 1, 2]) await stats.insert({ ...jones, employee, day365: employee })
    await account.table('stats').insert({ partitionKey: 'Sales', rowKey: 'other' })
    sent.length = 0
    const found: unknown[] = []
    for await (const { employee, day365 } of stats.query(jones)) found.push([employee, day365])
    expect(found).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
    expect(sent).toHaveLength(1)
  })

  it('a query returns entities in the order of their RowKeys, also those that lack a row', async () => {
    const { stats, account } = await opened()
    await account.table(FirstHalf).insert({ ...jones, employee: 1, day1: 1 })
    for (const employee of [2, 3]) await stats.insert({ ...jones, employee })
    const found: unknown[] = []
    for await (const { employee } of stats.query(jones)) found.push(employee)
    expect(found).toEqual([1, 2, 3])
  })
})
