import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'rowkey'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CliResult, runCli } from '../cli/run-cli.ts'
import { everyType, openTables, type Tables } from '../cli/with-tables.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const ROWS = 1_200

let azurite: Service
let embedded: Tables
let folder: string

beforeAll(async () => {
  azurite = await startAzurite()
  embedded = await openTables()
  folder = await mkdtemp(join(tmpdir(), 'rowkey-command-'))
  const people = embedded.account.table('people')
  await people.create()
  const rows = Array.from({ length: ROWS }, (_, n) => everyType(`city-${n % 7}`, `person-${n}`))
  await people.bulk().insert(rows)
})
afterAll(async () => {
  await embedded[Symbol.asyncDispose]()
  await azurite.close()
  await rm(folder, { recursive: true })
})

/** Runs a command on Azurite. `@embedded` names the other service. */
const run = (line: string): Promise<CliResult> =>
  runCli(line, {
    target: azurite.connectionString,
    folder,
    environment: { ROWKEY_EMBEDDED: embedded.target },
  })

it('copies a table from the embedded service to Azurite and finds no difference', async () => {
  const copied = await run(
    `copy people --target @embedded --to ${azurite.connectionString} --create`,
  )
  expect([copied.code, copied.warned]).toEqual([0, expect.stringContaining('1,200 rows')])
  const diff = await run(`diff people --target @embedded --to ${azurite.connectionString}`)
  expect([diff.code, diff.warned]).toEqual([0, 'The tables are equal.\n'])
})

it('exports from Azurite and imports again without loss', async () => {
  expect((await run('export people people.csv.gz')).code).toBe(0)
  expect((await run('import again people.csv.gz --create')).code).toBe(0)
  const diff = await run('diff people --to-table again')
  expect([diff.code, diff.warned]).toEqual([0, 'The tables are equal.\n'])
})

it('shows, counts and changes rows of Azurite', async () => {
  const count = await run('count people -p city-3 --json')
  expect(JSON.parse(count.printed)).toEqual({ table: 'people', count: 171 })
  const merged = await run('merge people city-3 person-3 small=7 --write')
  expect([merged.code, merged.warned]).toEqual([0, expect.stringContaining('Written.')])
  const { printed } = await run('get people city-3 person-3 --json')
  expect(JSON.parse(printed)).toMatchObject({ small: 7, big: '9007199254740993' })
  const scan = await run('query people')
  expect([scan.code, scan.warned]).toEqual([2, expect.stringContaining('--scan')])
})

it('backs up Azurite, and restores into the embedded service', async () => {
  expect((await run('backup saved people')).code).toBe(0)
  expect((await run('verify saved')).code).toBe(0)
  const account = connect(embedded.target)
  await account.deleteTable('people')
  expect((await run('restore saved --target @embedded')).code).toBe(0)
  const diff = await run(`diff people --target @embedded --to ${azurite.connectionString}`)
  expect([diff.code, diff.warned]).toEqual([0, 'The tables are equal.\n'])
  await account.close()
})

it('pulls a model from Azurite that reads all of its rows', async () => {
  expect((await run('pull people --all people.ts')).code).toBe(0)
  expect(await readFile(join(folder, 'people.ts'), 'utf8')).toContain('@PartitionKey()')
})

it('names the remedy for each problem of Azurite', async () => {
  const { code, printed } = await run('doctor --json')
  expect([code, JSON.parse(printed)]).toEqual([0, expect.anything()])
})
