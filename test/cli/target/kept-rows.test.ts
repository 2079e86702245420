import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { declareIndexes, tableQueue } from '@rowkey/patterns'
import { DynamicEntity, defineEntity, key } from 'rowkey'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { longTest } from '../../support/cases-to-play.ts'
import { runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

longTest('commands that write warn of indexes and sums, which they do not update', async () => {
  await using tables = await openTables()
  await using other = await openTables()
  const { account, target } = tables
  const Person = defineEntity({
    name: 'people',
    partitionKey: key`${'city'}`,
    rowKey: key`person_${'id'}`,
    schema: z.object({ city: z.string(), id: z.string(), mail: z.string() }),
  })
  const indexes = declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
  const people = account.table(Person)
  await people.create()
  await indexes.on(account).state('mail')
  await people.insert({ city: 'Oslo', id: '1', mail: 'a@x' })
  await account.table('plain').create()
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-kept-'))
  const file = join(folder, 'people.ndjson')
  await writeFile(file, '{"PartitionKey":"Oslo","RowKey":"person_2","mail":"b@x"}\n')

  const warned = async (line: string) =>
    (await runCli(line.split(' '), { target, folder })).warned.includes('@rowkey/patterns')
  try {
    expect(await warned('put plain a b --write')).toBe(false)
    expect(await warned('merge people Oslo person_1 mail=c@x --dry-run')).toBe(false)
    expect(await warned('merge people Oslo person_1 mail=c@x --write')).toBe(true)
    expect(await warned(`import people ${file}`)).toBe(true)
    expect(await warned(`copy people --to ${other.target} --create`)).toBe(true)
    expect(await warned('backup backup')).toBe(false)
    expect(await warned('restore backup')).toBe(true)
    expect(await warned(`import people ${file} --json`)).toBe(false)
  } finally {
    await rm(folder, { recursive: true })
  }
  expect((await indexes.on(account).repair()).found).toBeGreaterThan(0)
})

/** A folder, and the table `people` with two rows, the entries of their index, and the record of what is declared. */
async function indexedPeople({ account }: Tables): Promise<string> {
  const Person = defineEntity({
    name: 'people',
    partitionKey: key`${'city'}`,
    rowKey: key`person_${'id'}`,
    schema: z.object({ city: z.string(), id: z.string(), mail: z.string() }),
  })
  const indexes = declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
  const people = account.table(Person)
  await people.create()
  await indexes.on(account).state('mail')
  await people.insert({ city: 'Oslo', id: '1', mail: 'a@x' })
  await people.insert({ city: 'Oslo', id: '2', mail: 'b@x' })
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-hidden-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('queries, counts and changes of many rows pass over kept rows, unless --kept asks for them', async () => {
  await using tables = await openTables()
  const { target } = tables
  const folder = await indexedPeople(tables)
  const run = async (line: string) => (await runCli(line, { target, folder })).printed
  expect(JSON.parse(await run('query people --scan --json'))).toHaveLength(2)
  expect(JSON.parse(await run('query people --scan --kept --json'))).toHaveLength(5)
  expect(await run('count people --partition Oslo')).toBe('2\n')
  expect(await run('count people --partition Oslo --kept')).toBe('4\n')
  const set = await run('set people seen=true --partition Oslo --write --json')
  expect(JSON.parse(set)).toMatchObject({ written: 2 })
  expect(await run('pull people')).not.toContain('~rk~')
  const deleted = await run('delete people --partition Oslo --write --json')
  expect(JSON.parse(deleted)).toMatchObject({ written: 2 })
  const cleared = await run('clear people --write --json')
  expect(JSON.parse(cleared)).toMatchObject({ written: 3 })
})

it('the messages of a queue in a table are kept rows', async () => {
  await using tables = await openTables()
  const { account, target } = tables
  await account.createTable('queues')
  await account.table('queues').insert(new DynamicEntity('jobs', 'an entity'))
  await tableQueue(account, 'jobs', { table: 'queues' }).send('hello')
  const count = async (line: string) => (await runCli(line.split(' '), { target })).printed
  expect(await count('count queues --partition jobs')).toBe('1\n')
  expect(await count('count queues --partition jobs --kept')).toBe('2\n')
  expect((await runCli(['export', 'queues'], { target })).warned).toContain('Left out 1 row of')
})

it('a plan names the condition of kept rows in its filter only', async () => {
  await using tables = await openTables()
  const { target } = tables
  const { printed } = await runCli('query people --partition a --explain --json', { target })
  expect(JSON.parse(printed)).toMatchObject({
    plan: 'partitionScan',
    filter: "PartitionKey eq 'a' and (RowKey lt '~rk~' or RowKey ge '~rk\x7f')",
    reasons: [expect.stringContaining('Reads the whole partition')],
  })
})

it('export and copy say how many kept rows they leave out, and a backup has them all', async () => {
  await using tables = await openTables()
  await using other = await openTables()
  const { target } = tables
  const folder = await indexedPeople(tables)
  const run = (line: string) => runCli(line, { target, folder })
  const linesOf = async (file: string) =>
    (await readFile(join(folder, file), 'utf8')).trim().split('\n').length
  const exported = await run('export people people.ndjson')
  expect(exported.warned).toContain('Left out 3 rows of indexes, sums and messages')
  expect(await linesOf('people.ndjson')).toBe(2)
  expect((await run('export people')).warned).toContain('Left out 3 rows')
  const whole = await run('export people all.ndjson --kept --json')
  expect(JSON.parse(whole.printed)).toMatchObject({ rows: 5, leftOut: 0 })
  expect(await linesOf('all.ndjson')).toBe(5)
  const copied = await run(`copy people --to ${other.target} --create --json`)
  expect(JSON.parse(copied.printed)).toMatchObject({ written: 2, leftOut: 3 })
  expect((await run(`diff people --to ${other.target}`)).code).toBe(0)
  expect((await run(`diff people --to ${other.target} --kept`)).code).toBe(3)
  expect((await run('export people people.csv --select mail')).warned).toContain('Left out 3 rows')
  const { files } = JSON.parse((await run('backup saved --json')).printed)
  expect(files).toMatchObject([{ table: 'people', rows: 5 }])
})
