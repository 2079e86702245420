import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { modelFolder } from '../model/pulled-tables.ts'
import { type CliResult, runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

let tables: Tables
let folder: string
const run = (line: string): Promise<CliResult> =>
  runCli(`index ${line} --models staff.ts`, { target: tables.target, folder })

beforeAll(async () => {
  tables = await openTables()
  folder = await modelFolder()
  await writeFile(
    join(folder, 'staff.ts'),
    [
      "import { z } from 'zod'",
      "import { defineEntity, key } from 'rowkey'",
      "import { declareIndexes, declareSummaries } from '@rowkey/patterns'",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the module
      "export const Person = defineEntity({ name: 'staff', partitionKey: key`${'team'}`, rowKey: key`id_${'id'}`,",
      '  schema: z.object({ team: z.string(), id: z.string(), mail: z.string(), pay: z.bigint() }) })',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the module
      "export const indexes = declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } }, { lease: 1 })",
      "export const totals = declareSummaries(Person, { pay: { rowKey: key`all`, sums: ['pay'] } }, { lease: 1 })",
    ].join('\n'),
  )
  await tables.account.createTable('staff')
  const row = (n: number) => ({
    ...{ PartitionKey: 'a', RowKey: `id_${n}`, team: 'a', id: `${n}`, mail: `m${n}` },
    ...{ 'pay@odata.type': 'Edm.Int64', pay: `${n}` },
  })
  const input = Array.from({ length: 30 }, (_, n) => `${JSON.stringify(row(n))}\n`).join('')
  await runCli('import staff', { target: tables.target, input })
})
afterAll(async () => {
  await tables[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

it('rowkey index builds indexes and sums of rows that exist, compares, repairs and drops them', async () => {
  const before = await run('state')
  expect([before.code, before.printed]).toEqual([
    3,
    'indexes mail: building\ntotals pay: building\n',
  ])
  expect(await run('build')).toMatchObject({ code: 2, warned: expect.stringContaining('--write') })
  expect((await run('build --dry-run')).printed).toContain('indexes: compared 30 rows')
  expect((await run('state')).code).toBe(3)
  const built = await run('build --write')
  expect(built).toMatchObject({ code: 0, printed: expect.stringContaining('repaired: 30') })
  expect(JSON.parse((await run('state --json')).printed)).toEqual({
    action: 'state',
    states: [
      { declaration: 'indexes', name: 'mail', state: 'readable' },
      { declaration: 'totals', name: 'pay', state: 'readable' },
    ],
  })
  expect((await run('verify')).code).toBe(0)

  const { target } = tables
  await runCli('merge staff a id_7 mail=other pay=70 --write', { target })
  const found = await run('verify --json')
  expect(found.code).toBe(3)
  const { declarations } = JSON.parse(found.printed)
  expect(declarations).toMatchObject([
    { declaration: 'indexes', rows: 30 },
    { declaration: 'totals', found: 1, findings: [{ kind: 'stale', name: 'pay' }] },
  ])
  expect((await run('repair pay --write')).code).toBe(0)
  expect((await run('verify')).printed).toContain(
    'totals: compared 30 rows with 1 kept row; different: 0',
  )
  expect((await run('repair --write')).code).toBe(0)
  expect((await run('verify')).code).toBe(0)

  expect(await run('drop --write')).toMatchObject({ code: 2 })
  expect((await run('drop mail --write')).warned).toBe('Dropped mail.\n')
  expect((await run('state mail')).printed).toBe('indexes mail: dropped\n')
})

it.each([
  ['verify phone', 'The module declares no phone. It declares: mail, pay.'],
  ['verify --declaration Person', 'The module exports no declaration Person.'],
  ['check', "value 'check' is invalid for argument 'action'."],
])('rowkey index %s is rejected', async (line, reason) => {
  const { code, warned } = await run(line)
  expect([code, warned]).toEqual([2, expect.stringContaining(reason)])
})
