import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { twoAccounts } from '../accounts.ts'
import { storeSomePeople } from '../transfer/some-people.ts'

const { at, run } = twoAccounts(storeSomePeople)

describe('rowkey copy', () => {
  it('copies a table to another account, and diff finds nothing', async () => {
    const copied = await run('copy people --to @other --create')
    expect(copied).toEqual({ code: 0, printed: '', warned: 'Copied 21 rows to people.\n' })
    expect(await readdir(at.folder)).toEqual([])
    const { code, warned } = await run('diff people --to @other')
    expect([code, warned]).toEqual([0, 'The tables are equal.\n'])
  })

  it('copies some rows into another table of the same account', async () => {
    const { printed } = await run('copy people --to-table some --create --partition city-1 --json')
    expect(JSON.parse(printed)).toMatchObject({
      table: 'people',
      to: 'some',
      written: 3,
      failed: 0,
    })
  })

  longTest(
    'does nothing with rows that are stored with the same values, and fails for others',
    async () => {
      await run('copy people --to @other --create')
      expect((await run('copy people --to @other')).code).toBe(0)
      await at.other.account
        .table('people')
        .insertOrReplace(new DynamicEntity('city-0', '0', { n: 1 }))
      const failed = await run('copy people --to @other')
      expect([failed.code, failed.warned]).toEqual([
        1,
        expect.stringContaining('city-0 0: The row is stored already, with other values.'),
      ])
      expect((await run('copy people --to @other --on-existing replace')).code).toBe(0)
      expect((await run('diff people --to @other')).code).toBe(0)
    },
  )

  it('goes on at the position of an interrupted copy', async () => {
    await at.other.account.createTable('people')
    const failing = await run('copy people --to @other --to-table missing')
    expect(failing.code).toBe(1)
    expect(await readdir(at.folder)).toEqual(['people.copy'])
    const mismatch = await run('copy people --to @other')
    expect([mismatch.code, mismatch.warned]).toEqual([2, expect.stringContaining('people.copy')])
    const text = await readFile(join(at.folder, 'people.copy'), 'utf8')
    const position = JSON.parse(text)
    // As if all ranges but the last had been copied.
    for (const range of position.position.ranges.slice(0, -1)) range.isDone = true
    position.position.result.written = 11
    position.toTable = 'people'
    await writeFile(join(at.folder, 'people.copy'), JSON.stringify(position))
    const { warned } = await run('copy people --to @other')
    expect(warned).toMatch(/^Copied \d+ rows to people; 11 of them by an earlier run\.\n$/)
    expect(await at.other.account.table('people').query().allowTableScan().count()).toBeLessThan(20)
  })

  it('rejects a copy of a table to itself', async () => {
    const { code, warned } = await run('copy people')
    expect([code, warned]).toEqual([2, expect.stringContaining('--to-table')])
    const other = await run('copy people --to-table People')
    expect([other.code, other.warned]).toEqual([2, expect.stringContaining('--to-table')])
  })
})
