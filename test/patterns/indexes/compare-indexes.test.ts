import { key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, jones, office } from '../employees.ts'
import { grown } from './grown-staff.ts'

const all = async <Item>(items: AsyncIterable<Item>) => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('an index with a partitionKey', () => {
  it('lies beside one in the partition: one build, one verification, one repair', async () => {
    const { account, rival } = office()
    const old = rival().table(defineEmployee())
    await old.create()
    for (let id = 1; id <= 5; id++) await old.insert({ ...jones, id, email: `${id}@x` })
    const Employee = defineEmployee()
    const near = { rowKey: key`${'email'}`, unique: true } as const
    const far = { partitionKey: key`${'email'}`, rowKey: key`${'department'}_${'id:6'}` }
    const indexed = declareIndexes(Employee, { near, far }, { worker: announcedTo().worker })
    const here = indexed.on(account)
    expect(await here.build()).toMatchObject({ rows: 5, kept: 0, found: 10, repaired: 10 })
    expect(await here.verify()).toMatchObject({ rows: 5, kept: 10, found: 0 })
    const first = await here.find('near', { department: 'Sales', email: '3@x' })
    expect(await all(here.query('far', { email: '3@x' }))).toMatchObject([{ id: first?.id }])
    const rows = await account.table('employees').query().allowTableScan().toArray()
    for (const row of rows.filter(({ rowKey }) => rowKey.startsWith('~rk~ix~')).slice(0, 6))
      await account.table('employees').delete(row)
    const places: (string | undefined)[] = []
    const repaired = await here.repair({ onProgress: ({ next }) => void places.push(next) })
    expect(repaired).toMatchObject({ rows: 5, found: 6, repaired: 6 })
    // The second part is that of the other partitions.
    expect(await here.verify({ from: places[0] })).toMatchObject({ kept: 5, found: 0 })
    await expect(here.verify({ from: 'nowhere' })).rejects.toThrow('from')
  })
})

describe('verify and repair', () => {
  it('compare only the indexes that the caller names', async () => {
    const { indexed } = await grown(1)
    expect(await indexed.verify({ only: ['email'] })).toMatchObject({ found: 1 })
  })
})
