import { readdir } from 'node:fs/promises'
import { startLocalService } from '@rowkey/local'
import fc from 'fast-check'
import { DynamicEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { randomSteps } from '../../support/random-steps.ts'
import { twoAccounts } from '../accounts.ts'
import { storeSomePeople } from '../transfer/some-people.ts'

const { at, run } = twoAccounts(storeSomePeople)

describe('rowkey diff', () => {
  it('finds every difference, exits with 3, and its report makes the tables equal', async () => {
    await run('copy people --to @other --create')
    const changed = at.other.account.table('people')
    await changed.delete(['city-0', '0'], { etag: '*' })
    await changed.insert(new DynamicEntity('city-0', 'new'))
    await changed.insertOrMerge(new DynamicEntity('city-6', '6', { small: 9n }))
    const found = await run('diff people --to @other --report changes.ndjson')
    expect(found.code).toBe(3)
    expect(found.printed).toBe('+ ["city-0","0"]\n- ["city-0","new"]\n~ ["city-6","6"]\n')
    expect(found.warned).toContain(
      '1 row missing in the second table (+), 1 different (~), 1 only there (-).',
    )
    expect((await run('diff people --to @other --json')).printed).toBe(
      '{"table":"people","insert":1,"replace":1,"delete":1}\n',
    )
    expect((await run('import people changes.ndjson --target @other')).code).toBe(0)
    expect((await run('diff people --to @other')).code).toBe(0)
  })

  it('rejects rows in no order, and leaves no report', async () => {
    // Its name does not tell that it is Cosmos DB. Its rows would seem to be missing and surplus.
    const cosmos = await startLocalService({ port: 0, flavour: 'cosmos' })
    const target = cosmos.connectionString.replace(';Flavour=cosmos', '')
    expect((await run(['copy', 'people', '--to', target, '--create'])).code).toBe(0)
    const line = ['diff', 'people', '--to', target, '--report', 'changes']
    const { code, warned } = await run(line)
    await cosmos.close()
    expect([code, warned]).toEqual([1, expect.stringContaining('in the order of keys')])
    expect(await readdir(at.folder)).toEqual([])
  })

  it('fails at once when its report cannot be written', async () => {
    await run('copy people --to @other --create')
    const { code, warned } = await run('diff people --to @other --report missing/changes')
    expect([code, warned]).toEqual([1, expect.stringContaining('missing/changes')])
  })

  it('and its report make random tables equal', async () => {
    const rows = fc.uniqueArray(
      fc.tuple(
        fc.constantFrom('', 'a', 'b', 'é', '\u{1F600}'),
        fc.constantFrom('', '1', '10', '2', 'ÿ'),
        fc.integer({ min: 0, max: 2 }),
      ),
      { selector: ([partition, row]) => `${partition}|${row}`, maxLength: 12 },
    )
    let run_ = 0
    await fc.assert(
      fc.asyncProperty(rows, rows, async (one, two) => {
        const name = `random${run_++}`
        for (const [place, given] of [
          [at.tables, one],
          [at.other, two],
        ] as const) {
          await place.account.createTable(name)
          await place.account
            .table(name)
            .bulk()
            .insert(given.map(([pk, rk, n]) => new DynamicEntity(pk, rk, { n })))
        }
        await run(`diff ${name} --to @other --report changes`)
        await run(`import ${name} changes --target @other`)
        expect((await run(`diff ${name} --to @other`)).warned).toBe('The tables are equal.\n')
      }),
      { numRuns: randomSteps(50) },
    )
  })
})
