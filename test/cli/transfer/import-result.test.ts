import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { oneAccount } from '../accounts.ts'
import { PEOPLE, storePeople } from '../many-people.ts'

const { run } = oneAccount(storePeople)

describe('rowkey import', () => {
  it('names the first 20 rows that failed', async () => {
    const rows = Array.from({ length: 25 }, (_, n) => `{"PartitionKey":"a/b","RowKey":"${n}"}`)
    const { printed } = await run('import people --json', { input: rows.join('\n') })
    const { failed, failures } = JSON.parse(printed)
    expect([failed, failures.length]).toEqual([25, 20])
  })
})

describe('export and import', () => {
  longTest('report what was done as JSON', async () => {
    const exported = await run('export people people.csv --json')
    expect(JSON.parse(exported.printed)).toMatchObject({
      table: 'people',
      file: 'people.csv',
      rows: PEOPLE,
      resumed: 0,
    })
    const imported = await run('import reported people.csv --create --json')
    expect(JSON.parse(imported.printed)).toEqual({
      table: 'reported',
      written: PEOPLE,
      skipped: 0,
      failed: 0,
      resumed: 0,
      failures: [],
    })
  })
})
