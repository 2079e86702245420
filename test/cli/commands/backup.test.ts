import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { twoAccounts } from '../accounts.ts'
import { storeTwoTables } from '../backup/two-tables.ts'

const { at, run } = twoAccounts(storeTwoTables)

it('a backup restores to another account, and verify finds nothing', async () => {
  expect((await run('backup saved')).warned).toBe('Saved 21 rows of 2 tables to saved.\n')
  expect((await readdir(join(at.folder, 'saved'))).sort()).toEqual([
    '0001-orders.ndjson.gz',
    '0001-people.ndjson.gz',
    'manifest.json',
  ])
  expect(await run('verify saved')).toMatchObject({ code: 0, printed: '' })
  expect((await run('restore saved --target @other')).warned).toBe(
    'Restored 1 row to orders.\nRestored 20 rows to people.\n',
  )
  for (const name of ['people', 'orders'])
    expect((await run(`diff ${name} --to @other`)).code).toBe(0)
  expect((await run('restore saved --target @other')).code).toBe(0)
})

it.each([
  ['verify nothing', 'has no manifest'],
  ['restore nothing', 'has no manifest'],
  ['backup /proc/nowhere', '/proc/nowhere'],
])('%s exits with 1', async (line, message) => {
  expect(await run(line)).toMatchObject({ code: 1, warned: expect.stringContaining(message) })
})
