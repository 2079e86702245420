import { createHash } from 'node:crypto'
import { appendFile, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { twoAccounts } from '../accounts.ts'
import { storeTwoTables } from './two-tables.ts'

const { at, run } = twoAccounts(storeTwoTables)

it('verify exits with 3 for a damaged or missing file, and restore then writes nothing', async () => {
  await run('backup saved')
  await appendFile(join(at.folder, 'saved/0001-people.ndjson.gz'), 'x')
  await rm(join(at.folder, 'saved/0001-orders.ndjson.gz'))
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

it.each(['{', 'null', '{"format":"rowkey backup 1","runs":[{}]}'])(
  'verify rejects a manifest that is not whole: %s',
  async (text) => {
    await writeFile(join(at.folder, 'manifest.json'), text)
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
  const path = join(at.folder, 'saved/manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  change(manifest)
  await writeFile(path, JSON.stringify(manifest))
}

/** Gives the only file of a backup another table, and the name that belongs to it. */
const named =
  (table: unknown) =>
  ({ runs }: AnyManifest): void => {
    runs.splice(1)
    Object.assign(runs[0].files[0], { table, file: `0001-${table}.ndjson.gz` })
  }

it.each([
  [
    'a file outside of the folder',
    ({ runs }) => Object.assign(runs[0].files[0], { file: '../../x' }),
  ],
  ['a device', ({ runs }) => Object.assign(runs[0].files[0], { file: '../../../dev/zero' })],
  ['a table outside of the folder', named('/../../x')],
  ['a table with a zero byte', named('\0')],
  ['a file that is null', ({ runs }) => Object.assign(runs[0], { files: [null] })],
  ['a run that is null', (manifest) => Object.assign(manifest, { runs: [null] })],
  ['a run whose files are null', ({ runs }) => Object.assign(runs[0], { files: null })],
  ['a table that is a number', named(5)],
  ['a time that is a number', ({ runs }) => Object.assign(runs[0], { startedAt: 5 })],
  ['runs that are null', (manifest) => Object.assign(manifest, { runs: null })],
  ['no runs', (manifest) => Object.assign(manifest, { runs: [] })],
  ['a run of no files', ({ runs }) => Object.assign(runs[1], { files: [] })],
  ['a negative number of rows', ({ runs }) => Object.assign(runs[0].files[0], { rows: -1 })],
  ['an invalid time', ({ runs }) => Object.assign(runs[0], { startedAt: 'yesterday' })],
  ['another format', (manifest) => Object.assign(manifest, { format: 'rowkey backup 2' })],
  ['a file without a digest', ({ runs }) => Object.assign(runs[0].files[0], { sha256: null })],
  ['an invalid time of changes', ({ runs }) => Object.assign(runs[1].files[0], { since: 'x' })],
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

it.each([
  ['a line that ends where the reader of gzip cuts', gzipSync(`${'x'.repeat(16_384)}\n`), 0],
  ['a file that is not compressed', Buffer.from('{}\n'), 3],
])('verify counts the rows of %s', async (_, content, code) => {
  await run('backup saved people')
  const path = join(at.folder, 'saved/manifest.json')
  const manifest: AnyManifest = JSON.parse(await readFile(path, 'utf8'))
  const sha256 = createHash('sha256').update(content).digest('hex')
  Object.assign(manifest.runs[0].files[0], { rows: 1, sha256 })
  await writeFile(path, JSON.stringify(manifest))
  await writeFile(join(at.folder, 'saved/0001-people.ndjson.gz'), content)
  expect((await run('verify saved')).code).toBe(code)
})

it.skipIf(process.platform === 'win32')(
  'verify reads no device, and everything in a backup is for its user only',
  async () => {
    await run('backup saved people')
    const saved = join(at.folder, 'saved')
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
