import { describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { storeFewPeople } from '../few-people.ts'

const { run } = oneAccount(storeFewPeople)

describe('rowkey count', () => {
  it('counts a partition, and the whole table with --scan', async () => {
    expect((await run('count people -p Jones')).printed).toBe('5\n')
    expect(JSON.parse((await run('count people --scan --json')).printed)).toEqual({
      table: 'people',
      count: 6,
    })
    expect((await run('count people')).code).toBe(2)
  })
})
