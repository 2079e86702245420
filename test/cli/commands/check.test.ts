import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { modelFolder } from '../model/pulled-tables.ts'
import { runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

let tables: Tables
let folder: string
beforeAll(async () => {
  tables = await openTables()
  folder = await modelFolder()
})
afterAll(async () => {
  await tables[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

it('rowkey check says which rows a model cannot read, and exits with 3 with --verify', async () => {
  const people = tables.account.table('people')
  await people.create()
  await people.insert(new DynamicEntity('a', '1', { age: 5 }))
  const settings = { target: tables.target, folder }
  expect((await runCli('pull people people.ts', settings)).code).toBe(0)
  await people.insert(new DynamicEntity('a', '2', { age: 'five' }))
  const { code, printed } = await runCli('check people.ts --verify', settings)
  expect(code).toBe(3)
  expect(printed).toMatch(
    /^The model reads 1 row of people, and cannot read 1\.\n1 row: \w+ of PeopleRow\.age\n {2}\["a","2"\]: /,
  )
  expect((await runCli('check people.ts', settings)).code).toBe(0)
  await writeFile(join(folder, 'empty.ts'), 'export {}')
  const empty = await runCli('check empty.ts', settings)
  expect([empty.code, empty.warned]).toEqual([
    2,
    'rowkey: The module exports no model. Export a class with @Entity, a model of defineEntity, or a union.\n',
  ])
  const missing = await runCli('check nothing.ts', settings)
  expect([missing.code, missing.warned]).toEqual([
    1,
    expect.stringContaining('nothing.ts cannot be loaded'),
  ])
})

it('rowkey check reads by the model that --model names', async () => {
  await tables.account.table('teams').createIfNotExists()
  const settings = { target: tables.target, folder }
  const model = (name: string, table: string) =>
    `export const ${name} = defineEntity({ name: '${table}', partitionKey: key\`\${'p'}\`, rowKey: key\`\${'r'}\`, schema: z.object({ p: z.string(), r: z.string() }) })`
  const lines = [
    "import { z } from 'zod'",
    "import { defineEntity, key } from 'rowkey'",
    model('Person', 'persons'),
    model('Team', 'teams'),
  ]
  await writeFile(join(folder, 'two.ts'), lines.join('\n'))
  const { code, printed } = await runCli('check two.ts --model Team', settings)
  expect([code, printed]).toEqual([0, expect.stringContaining('rows of teams')])
})

it('rowkey check rejects a folder that does not exist, and makes none', async () => {
  const target = join(folder, 'absent')
  await writeFile(join(folder, 'people.mjs'), 'export {}')
  const { code, warned } = await runCli('check people.mjs', { target, folder })
  expect([code, warned]).toEqual([2, expect.stringContaining('folder that does not exist')])
  expect(existsSync(target)).toBe(false)
})
