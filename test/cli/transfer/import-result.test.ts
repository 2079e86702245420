import { describe, expect } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { oneAccount } from '../accounts.ts'
import { PEOPLE, storePeople } from '../many-people.ts'

const { run } = oneAccount(storePeople)

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
