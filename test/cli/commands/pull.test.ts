import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamicEntity, EntityProperty } from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

let tables: Tables
let folder: string
const run = (line: string) => runCli(line, { target: tables.target, folder })

beforeAll(async () => {
  tables = await openTables()
  const people = tables.account.table('people')
  await people.create()
  const rows = Array.from(
    { length: 60 },
    (_, n) =>
      new DynamicEntity(`city-${n % 7}`, `order-${String(n).padStart(4, '0')}`, {
        state: ['open', 'sent'][n % 2],
        total: EntityProperty.double(n),
        points: 10n,
        ...(n % 3 === 0 && { note: `note ${n}` }),
        ...(n % 2 === 0 ? { mixed: 1 } : { mixed: 'one' }),
      }),
  )
  await people.bulk().insert(rows)
})
afterAll(() => tables[Symbol.asyncDispose]())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowkey-pull-'))
  return () => rm(folder, { recursive: true })
})

describe('a pulled model', () => {
  it('has types, shares, enums and templates of keys', async () => {
    const { code, printed } = await run('pull people')
    expect(code).toBe(0)
    expect(printed).toContain('// A sample of people: 60 rows of 7 partitions')
    expect(printed).toContain(`// PartitionKey could be the template key\`city-\${'part1:1'}\``)
    expect(printed).toContain(`// RowKey could be the template key\`order-\${'part1:4'}\``)
    expect(printed).toContain(
      "  // enum: 2 values in 60 rows\n  @Property('String') state!: 'open' | 'sent'\n",
    )
    expect(printed).toContain(
      "  @Property('Double') total!: number\n  @Property('Int64') points!: bigint\n",
    )
    expect(printed).toContain("  // in 33 % of the rows\n  @Property('String') note?: string\n")
    expect(printed).toMatch(
      /mixed: (?:Int32|String) 50 %, (?:Int32|String) 50 %\n {2}@Property\(\) mixed!: (?:number \| string|string \| number)/,
    )
  })

  it('contains no stored value with --no-values', async () => {
    expect((await run('pull people --no-values')).printed).not.toContain("'open'")
  })
})

describe('rowkey pull into a file', () => {
  longTest('overwrites nothing: it shows the difference and writes beside', async () => {
    expect((await run('pull people people.ts --all')).code).toBe(0)
    const first = await readFile(join(folder, 'people.ts'), 'utf8')
    expect((await run('pull people people.ts')).warned).toContain('The model is as it was.')
    await writeFile(
      join(folder, 'people.ts'),
      first.replace("  @Property('Int64') points!: bigint\n", ''),
    )
    const second = await run('pull people people.ts')
    expect([second.code, second.warned]).toEqual([
      3,
      expect.stringContaining("+   @Property('Int64') points!: bigint\n"),
    ])
    expect((await run('pull people people.ts')).warned).toContain('people.3.ts')
    expect((await readdir(folder)).sort()).toEqual(['people.2.ts', 'people.3.ts', 'people.ts'])
  })
})
