import { DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { twoAccounts } from '../accounts.ts'
import { storeTwoTables } from './two-tables.ts'

const { at, run } = twoAccounts(storeTwoTables)

it('restore rejects a table that the backup lacks', async () => {
  await run('backup lacking people')
  expect(await run('restore lacking people others --target @other')).toMatchObject({
    code: 2,
    warned: 'rowkey: The backup has no table others. It has: people.\n',
  })
})

longTest(
  'restores the last values of a row once, and leaves existing rows to --on-existing',
  async () => {
    const people = at.tables.account.table('people')
    await run('backup saved people')
    await people.insertOrReplace(new DynamicEntity('a', '0', { n: 1 }))
    await people.insertOrReplace(new DynamicEntity('a', '1', { n: 1 }))
    await run('backup saved people --incremental')
    const restored = at.other.account.table('people')
    await restored.create()
    const own = new DynamicEntity('a', '0', { own: true })
    await restored.insert(own)
    expect((await run('restore saved --target @other --on-existing skip')).warned).toBe(
      'Restored 19 rows to people; skipped 1 that exist.\n',
    )
    expect((await restored.get(['a', '0'])).get('own')?.value).toBe(true)
    expect((await restored.get(['a', '1'])).get('n')?.value).toBe(1)
    expect((await run('restore saved --target @other')).code).toBe(1)
    await restored.delete(own)
    expect((await run('restore saved --target @other')).code).toBe(0)
    expect((await run('diff people --to @other')).code).toBe(0)
  },
)

it('a whole backup takes the place of the earlier ones when it is restored', async () => {
  await run('backup saved')
  await at.tables.account.table('people').delete(['a', '0'], { etag: '*' })
  await run('backup saved')
  expect((await run('restore saved people --target @other --json')).printed).toContain(
    '"written":19',
  )
  expect((await run('diff people --to @other')).code).toBe(0)
})
