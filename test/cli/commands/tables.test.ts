import { describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { storeFewPeople } from '../few-people.ts'

const { run } = oneAccount(storeFewPeople)

describe('rowkey tables', () => {
  it('lists the tables', async () => {
    expect((await run('tables')).printed).toBe('table\n------\norders\npeople\n')
    expect((await run('tables --prefix o')).printed).toContain('orders')
  })

  it('prints JSON that names the account and no key', async () => {
    const { printed } = await run('tables --json')
    expect(JSON.parse(printed)).toMatchObject({ tables: ['orders', 'people'] })
    expect(printed).not.toContain('AccountKey')
  })
})
