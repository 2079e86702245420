import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DynamicEntity } from 'rowkey'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { runCli } from '../run-cli.ts'
import { everyType, openTables, type Tables } from '../with-tables.ts'

let tables: Tables
let other: Tables
let folder: string
const run = (line: string) =>
  runCli(line, { target: tables.target, folder, environment: { ROWKEY_OTHER: other.target } })

beforeEach(async () => {
  ;[tables, other] = await Promise.all([openTables(), openTables()])
  folder = await mkdtemp(join(tmpdir(), 'rowkey-backup-'))
  await tables.account.createTable('people')
  await tables.account.createTable('orders')
  const people = Array.from({ length: 20 }, (_, n) => everyType('a', `${n}`))
  await tables.account.table('people').bulk().insert(people)
  await tables.account.table('orders').insert(new DynamicEntity('b', '1', { n: 1 }))
})
afterEach(async () => {
  await tables[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

it('a backup restores to another account, and verify finds nothing', async () => {
  expect((await run('backup saved')).warned).toBe('Saved 21 rows of 2 tables to saved.\n')
  expect((await readdir(join(folder, 'saved'))).sort()).toEqual([
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

it('a mistyped table leaves nothing behind, whatever its place among the others', async () => {
  expect(await run('backup saved people peple')).toMatchObject({
    code: 1,
    warned: expect.stringContaining('peple'),
  })
  expect(await readdir(folder)).toEqual([])
  expect(await run('backup saved people')).toMatchObject({ code: 0 })
  expect((await run('backup saved peple')).code).toBe(1)
  expect(await run('backup saved')).toMatchObject({ code: 0 })
})

it('restore rejects a table that the backup lacks', async () => {
  await run('backup lacking people')
  expect(await run('restore lacking people others --target @other')).toMatchObject({
    code: 2,
    warned: 'rowkey: The backup has no table others. It has: people.\n',
  })
})

it('an incremental backup adds what changed, and a table that is new as a whole', async () => {
  await run('backup saved people')
  await tables.account
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

longTest(
  'restores the last values of a row once, and leaves existing rows to --on-existing',
  async () => {
    const people = tables.account.table('people')
    await run('backup saved people')
    await people.insertOrReplace(new DynamicEntity('a', '0', { n: 1 }))
    await people.insertOrReplace(new DynamicEntity('a', '1', { n: 1 }))
    await run('backup saved people --incremental')
    const restored = other.account.table('people')
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

it('rejects rows that a backup has read which was given up', async () => {
  await run('backup saved people')
  const partial = join(folder, 'saved/0002-people.ndjson.gz.partial')
  await mkdir(partial)
  const { account } = JSON.parse(await readFile(join(folder, 'saved/manifest.json'), 'utf8'))
  const subject = { command: 'backup', account, table: 'people' }
  const position = [{ rows: 0, leftOut: 0, bytes: 0, isDone: true }]
  await writeFile(join(partial, 'position.json'), JSON.stringify({ ...subject, position }))
  const { code, warned } = await run('backup saved people')
  expect([code, warned]).toEqual([2, expect.stringContaining('position.json')])
})

it('a whole backup takes the place of the earlier ones when it is restored', async () => {
  await run('backup saved')
  await tables.account.table('people').delete(['a', '0'], { etag: '*' })
  await run('backup saved')
  expect((await run('restore saved people --target @other --json')).printed).toContain(
    '"written":19',
  )
  expect((await run('diff people --to @other')).code).toBe(0)
})

it('verify exits with 3 for a damaged or missing file, and restore then writes nothing', async () => {
  await run('backup saved')
  await appendFile(join(folder, 'saved/0001-people.ndjson.gz'), 'x')
  await rm(join(folder, 'saved/0001-orders.ndjson.gz'))
  const verified = await run('verify saved --json')
  expect(verified.code).toBe(3)
  expect(JSON.parse(verified.printed).damages).toEqual([
    { file: '0001-orders.ndjson.gz', problem: 'missing' },
    { file: '0001-people.ndjson.gz', problem: 'changed' },
  ])
  const restored = await run('restore saved --target @other')
  expect([restored.code, restored.warned]).toEqual([
    1,
    expect.stringContaining('Nothing was restored'),
  ])
  expect((await run('tables --target @other --json')).printed).toContain('"tables":[]')
})

it('goes on where a backup was interrupted, from the time when it began', async () => {
  await run('backup saved orders')
  const manifest = JSON.parse(await readFile(join(folder, 'saved/manifest.json'), 'utf8'))
  const [first] = manifest.runs
  await rm(join(folder, 'saved/manifest.json'))
  const subject = {
    command: 'backup',
    account: manifest.account,
    number: 1,
    isIncremental: false,
    tables: [],
  }
  const position = { startedAt: '2020-01-01T00:00:00.000Z', files: first.files }
  await writeFile(join(folder, 'saved/run.json'), JSON.stringify({ ...subject, position }))
  const { printed } = await run('backup saved --json')
  expect(JSON.parse(printed)).toMatchObject({
    startedAt: '2020-01-01T00:00:00.000Z',
    files: [{ table: 'orders' }, { table: 'people' }],
  })
  expect(await readdir(join(folder, 'saved'))).not.toContain('run.json')
})

it.each([
  ['verify nothing', 'has no manifest'],
  ['restore nothing', 'has no manifest'],
  ['backup /proc/nowhere', '/proc/nowhere'],
])('%s exits with 1', async (line, message) => {
  expect(await run(line)).toMatchObject({ code: 1, warned: expect.stringContaining(message) })
})

it.each(['null', '{"format":"rowkey backup 1","runs":[{}]}'])(
  'verify rejects a manifest that is not whole: %s',
  async (text) => {
    await writeFile(join(folder, 'manifest.json'), text)
    expect(await run('verify .')).toMatchObject({
      code: 1,
      warned: expect.stringContaining('is not the manifest of a backup'),
    })
  },
)

// biome-ignore lint/suspicious/noExplicitAny: a manifest that someone else wrote
type AnyManifest = any

/** Changes the manifest of a whole backup of `people`, and an incremental one. */
const tampered = async (change: (manifest: AnyManifest) => void) => {
  await run('backup saved people')
  await run('backup saved people --incremental')
  const path = join(folder, 'saved/manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  change(manifest)
  await writeFile(path, JSON.stringify(manifest))
}

it.each([
  [
    'a file outside of the folder',
    ({ runs }) => Object.assign(runs[0].files[0], { file: '../../x' }),
  ],
  ['a device', ({ runs }) => Object.assign(runs[0].files[0], { file: '../../../dev/zero' })],
  [
    'a table outside of the folder',
    ({ runs }) => Object.assign(runs[0].files[0], { table: '../x', file: '0001-../x.ndjson.gz' }),
  ],
  ['a file that is null', ({ runs }) => Object.assign(runs[0], { files: [null] })],
  ['a run that is null', (manifest) => Object.assign(manifest, { runs: [null] })],
  ['no runs', (manifest) => Object.assign(manifest, { runs: [] })],
  ['a run of no files', ({ runs }) => Object.assign(runs[1], { files: [] })],
  ['a negative number of rows', ({ runs }) => Object.assign(runs[0].files[0], { rows: -1 })],
  ['an invalid time', ({ runs }) => Object.assign(runs[0], { startedAt: 'yesterday' })],
  ['no account', (manifest) => Object.assign(manifest, { account: null })],
  ['changes without the backup before them', ({ runs }) => runs.shift()],
  [
    'changes first',
    ({ runs }) => Object.assign(runs[0].files[0], { since: '2020-01-01T00:00:00Z' }),
  ],
] satisfies [string, (manifest: AnyManifest) => unknown][])(
  'verify, restore and backup reject a manifest with %s',
  async (_, change) => {
    await tampered(change)
    for (const line of ['verify saved', 'restore saved --target @other', 'backup saved']) {
      const { code, printed, warned } = await run(`${line} --json`)
      expect([code, printed]).toEqual([1, ''])
      expect(JSON.parse(warned).error.code).toBe('DamagedBackup')
    }
    expect((await run('tables --target @other --json')).printed).toContain('"tables":[]')
  },
)

it('verify counts rows, and restore rejects a file with another number of them', async () => {
  await tampered(({ runs }) => Object.assign(runs[0].files[0], { rows: 500 }))
  const { code, printed } = await run('verify saved')
  expect([code, printed]).toEqual([3, '0001-people.ndjson.gz is miscounted\n'])
  expect(await run('restore saved --target @other --json')).toMatchObject({
    code: 1,
    warned: expect.stringContaining('DamagedBackup'),
  })
})

it.skipIf(process.platform === 'win32')(
  'verify reads no device, and everything in a backup is for its user only',
  async () => {
    await run('backup saved people')
    const saved = join(folder, 'saved')
    expect((await stat(saved)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(saved)) {
      expect([name, (await stat(join(saved, name))).mode & 0o777]).toEqual([name, 0o600])
    }
    await rm(join(saved, '0001-people.ndjson.gz'))
    await symlink('/dev/zero', join(saved, '0001-people.ndjson.gz'))
    expect(await run('verify saved')).toMatchObject({
      code: 3,
      printed: '0001-people.ndjson.gz is changed\n',
    })
  },
)

it('rejects the files of an interrupted run that are not those of a backup', async () => {
  await run('backup saved orders')
  const { account } = JSON.parse(await readFile(join(folder, 'saved/manifest.json'), 'utf8'))
  const subject = { command: 'backup', account, number: 2, isIncremental: false, tables: [] }
  const position = { startedAt: '2020-01-01T00:00:00.000Z', files: [null] }
  await writeFile(join(folder, 'saved/run.json'), JSON.stringify({ ...subject, position }))
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
  expect(await readdir(folder)).toEqual([])
})

it('rejects the folder of another account', async () => {
  await run('backup saved')
  expect((await run('backup saved --target @other')).warned).toContain('is a backup of')
})
