import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { declareIndexes } from '@rowkey/patterns'
import { defineEntity, key } from 'rowkey'
import { expect } from 'vitest'
import { z } from 'zod'
import { longTest } from '../../support/cases-to-play.ts'
import { runCli } from '../run-cli.ts'
import { openTables } from '../with-tables.ts'

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
