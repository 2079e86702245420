import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { twoAccounts } from '../accounts.ts'
import { storeTwoTables } from './two-tables.ts'

const { at, run } = twoAccounts(storeTwoTables)

it('a mistyped table leaves nothing behind, whatever its place among the others', async () => {
  expect(await run('backup saved people peple')).toMatchObject({
    code: 1,
    warned: expect.stringContaining('peple'),
  })
  expect(await readdir(at.folder)).toEqual([])
  expect(await run('backup saved people')).toMatchObject({ code: 0 })
  expect((await run('backup saved peple')).code).toBe(1)
  expect(await run('backup saved')).toMatchObject({ code: 0 })
})

it('an incremental backup adds what changed, and a table that is new as a whole', async () => {
  await run('backup saved people')
  await at.tables.account
    .table('people')
    .insertOrReplace(new DynamicEntity('a', '0', { changed: true }))
  const { printed } = await run('backup saved --incremental --json')
  const { files } = JSON.parse(printed)
  expect(files).toMatchObject([
    { table: 'orders', rows: 1 },
    { table: 'people', since: expect.any(String) },
  ])
  expect(files[0].since).toBeUndefined()
  expect((await run('restore saved --target @other')).code).toBe(0)
  for (const name of ['people', 'orders'])
    expect((await run(`diff ${name} --to @other`)).code).toBe(0)
})

it('rejects rows that a backup has read which was given up', async () => {
  await run('backup saved people')
  const partial = join(at.folder, 'saved/0002-people.ndjson.gz.partial')
  await mkdir(partial)
  const { account } = JSON.parse(await readFile(join(at.folder, 'saved/manifest.json'), 'utf8'))
  const subject = { command: 'backup', account, table: 'people' }
  const position = [{ rows: 0, leftOut: 0, bytes: 0, isDone: true }]
  await writeFile(join(partial, 'position.json'), JSON.stringify({ ...subject, position }))
  const { code, warned } = await run('backup saved people')
  expect([code, warned]).toEqual([2, expect.stringContaining('position.json')])
})

it('goes on where a backup was interrupted, from the time when it began', async () => {
  await run('backup saved orders')
  const manifest = JSON.parse(await readFile(join(at.folder, 'saved/manifest.json'), 'utf8'))
  const [first] = manifest.runs
  await rm(join(at.folder, 'saved/manifest.json'))
  const subject = {
    command: 'backup',
    account: manifest.account,
    number: 1,
    isIncremental: false,
    tables: [],
  }
  const position = { startedAt: '2020-01-01T00:00:00.000Z', files: first.files }
  await writeFile(join(at.folder, 'saved/run.json'), JSON.stringify({ ...subject, position }))
  const { printed } = await run('backup saved --json')
  expect(JSON.parse(printed)).toMatchObject({
    startedAt: '2020-01-01T00:00:00.000Z',
    files: [{ table: 'orders' }, { table: 'people' }],
  })
  expect(await readdir(join(at.folder, 'saved'))).not.toContain('run.json')
})

it('rejects the files of an interrupted run that are not those of a backup', async () => {
  await run('backup saved orders')
  const { account } = JSON.parse(await readFile(join(at.folder, 'saved/manifest.json'), 'utf8'))
  const subject = { command: 'backup', account, number: 2, isIncremental: false, tables: [] }
  const position = { startedAt: '2020-01-01T00:00:00.000Z', files: [null] }
  await writeFile(join(at.folder, 'saved/run.json'), JSON.stringify({ ...subject, position }))
  expect(await run('backup saved')).toMatchObject({
    code: 2,
    warned: expect.stringContaining('run.json is not the position of a command'),
  })
})

it('an account without tables is an error, and no backup', async () => {
  expect(await run('backup nothing --target @other')).toMatchObject({
    code: 2,
    warned: expect.stringContaining('has no tables, so nothing was saved.'),
  })
  expect(await readdir(at.folder)).toEqual([])
})

it('rejects the folder of another account', async () => {
  await run('backup saved')
  expect((await run('backup saved --target @other')).warned).toContain('is a backup of')
})
