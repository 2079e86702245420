import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { DynamicEntity, EntityProperty } from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lineDifference } from '../../../packages/cli/src/model/line-difference.ts'
import { profileRows } from '../../../packages/cli/src/model/profile-rows.ts'
import { writeModel } from '../../../packages/cli/src/model/write-model.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { runCli } from '../run-cli.ts'
import { openTables, type Tables } from '../with-tables.ts'

let tables: Tables
let folder: string
const run = (line: string) => runCli(line, { target: tables.target, folder })

const modelOf = async (rows: readonly DynamicEntity[]) => {
  const found = await profileRows(async (onRow) => rows.forEach(onRow))
  return writeModel({ table: 'people', coverage: 'All rows.', showsValues: true, ...found })
}

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

  it.each([
    [['ab-x', 'ab-yz', 'ab-x1'], "always begins with 'ab-'"],
    [['ab', 'bc2'], 'has no common beginning'],
    [['ab', 'ab'], "is always 'ab'"],
  ])('says what the keys %j have in common', async (keys, remark) => {
    const text = await modelOf(keys.map((key) => new DynamicEntity(key, key)))
    expect(text).toContain(`PartitionKey ${remark}`)
  })

  it.each([
    ['rises', true, (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()],
    ['falls', true, (n: number) => String(2_500_000_000_000_000_000n - BigInt(n))],
    ['is a day', false, (n: number) => `2026-01-${String(10 + (n % 20))}`],
    ['has a tenant before it', false, (n: number) => `t_2026-01-${String(10 + (n % 20))}`],
  ])(
    'warns of a PartitionKey that is only a time as the declaration does: it %s',
    async (_, isHot, keyOf) => {
      const rows = Array.from({ length: 30 }, (_row, n) => new DynamicEntity(keyOf(n), `${n}`))
      expect((await modelOf(rows)).includes('only a time: all writes of a moment')).toBe(isHot)
    },
  )

  it('contains no stored value with --no-values', async () => {
    expect((await run('pull people --no-values')).printed).not.toContain("'open'")
  })

  it('has a class for each value of a discriminator, and a union of them', async () => {
    const rows = Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0
        ? new DynamicEntity('a', `${n}`, { EntityType: 'Order', total: 1 })
        : new DynamicEntity('a', `${n}`, { EntityType: 'Customer', name: 'x' }),
    )
    const text = await modelOf(rows)
    expect(text).toContain(
      "@Entity({ name: 'people', discriminator: { 'EntityType': 'Order' } })\nexport class OrderRow {",
    )
    expect(text).toContain('export const rows = union(CustomerRow, OrderRow)')
    expect(text).not.toContain('total?')
  })

  it('names members that a class cannot have after their stored names', async () => {
    const text = await modelOf([
      new DynamicEntity('a', 'b', [
        ['constructor', 1],
        ['etag', 'x'],
        ['__proto__', 2],
      ]),
    ])
    expect(text).toContain("@StoreAs('constructor') @Property('Int32') constructor_!: number")
    expect(text).toContain("@StoreAs('etag') @Property('String') etag_!: string")
    expect(text).toContain("@StoreAs('__proto__') @Property('Int32') __proto___!: number")
  })

  it('ends no comment or text early, whatever is stored', async () => {
    const values = ["it's", '*/', `\`\${x}\``, '\u2028', '\n']
    const rows = Array.from(
      { length: 40 },
      (_, n) => new DynamicEntity(`\u2029${n % 2}`, `${n}`, { text: values[n % 5] }),
    )
    const text = await modelOf(rows)
    expect(text).toContain(`'\\n' | '*/' | '\`\${x}\`' | 'it\\'s' | '\\u2028'`)
    expect(text.split(/[\n\u2028\u2029]/).filter((line) => line.startsWith('${'))).toEqual([])
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

it('lineDifference turns one text into the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const difference = lineDifference(before, after)
      const removed = difference.filter((line) => line.startsWith('-')).length
      const added = difference.filter((line) => line.startsWith('+')).length
      expect(before.length - removed).toBe(after.length - added)
      if (before.join() === after.join()) expect(difference).toEqual([])
    }),
  )
})
