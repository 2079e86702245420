import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalService } from '@rowkey/local'
import fc from 'fast-check'
import { connect, DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { diffRows } from '../../../packages/cli/src/transfer/diff-tables.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { runCli } from '../run-cli.ts'
import { everyType, openTables, type Tables } from '../with-tables.ts'

let tables: Tables
let other: Tables
let folder: string
const run = (line: string | readonly string[]) =>
  runCli(line, { target: tables.target, folder, environment: { ROWKEY_OTHER: other.target } })

beforeAll(async () => {
  ;[tables, other] = await Promise.all([openTables(), openTables()])
  const people = tables.account.table('people')
  await people.create()
  const rows = Array.from({ length: 21 }, (_, n) => everyType(`city-${n % 7}`, `${n}`))
  await people.bulk().insert(rows)
})
afterAll(async () => {
  await tables[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await other.account.table('people').dropIfExists()
  folder = await mkdtemp(join(tmpdir(), 'rowkey-copy-'))
  return () => rm(folder, { recursive: true })
})

describe('rowkey copy', () => {
  it('copies a table to another account, and diff finds nothing', async () => {
    const copied = await run('copy people --to @other --create')
    expect(copied).toEqual({ code: 0, printed: '', warned: 'Copied 21 rows to people.\n' })
    expect(await readdir(folder)).toEqual([])
    const { code, warned } = await run('diff people --to @other')
    expect([code, warned]).toEqual([0, 'The tables are equal.\n'])
  })

  it('copies some rows into another table of the same account', async () => {
    const { printed } = await run('copy people --to-table some --create --partition city-1 --json')
    expect(JSON.parse(printed)).toMatchObject({
      table: 'people',
      to: 'some',
      written: 3,
      failed: 0,
    })
  })

  longTest(
    'does nothing with rows that are stored with the same values, and fails for others',
    async () => {
      await run('copy people --to @other --create')
      expect((await run('copy people --to @other')).code).toBe(0)
      await other.account
        .table('people')
        .insertOrReplace(new DynamicEntity('city-0', '0', { n: 1 }))
      const failed = await run('copy people --to @other')
      expect([failed.code, failed.warned]).toEqual([
        1,
        expect.stringContaining('city-0 0: The row is stored already, with other values.'),
      ])
      expect((await run('copy people --to @other --on-existing replace')).code).toBe(0)
      expect((await run('diff people --to @other')).code).toBe(0)
    },
  )

  it('goes on at the position of an interrupted copy', async () => {
    await other.account.createTable('people')
    const failing = await run('copy people --to @other --to-table missing')
    expect(failing.code).toBe(1)
    expect(await readdir(folder)).toEqual(['people.copy'])
    const mismatch = await run('copy people --to @other')
    expect([mismatch.code, mismatch.warned]).toEqual([2, expect.stringContaining('people.copy')])
    const text = await readFile(join(folder, 'people.copy'), 'utf8')
    const position = JSON.parse(text)
    // As if all ranges but the last had been copied.
    for (const range of position.position.ranges.slice(0, -1)) range.isDone = true
    position.position.result.written = 11
    position.toTable = 'people'
    await writeFile(join(folder, 'people.copy'), JSON.stringify(position))
    const { warned } = await run('copy people --to @other')
    expect(warned).toMatch(/^Copied \d+ rows to people; 11 of them by an earlier run\.\n$/)
    expect(await other.account.table('people').query().allowTableScan().count()).toBeLessThan(20)
  })

  longTest('tells folders apart, also in the position of an interrupted copy', async () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    expect((await run(`copy people --to ${one} --create`)).code).toBe(0)
    expect((await run(`copy people --target ${one} --to ${two} --create`)).code).toBe(0)
    expect((await run(`diff people --target ${one} --to ${two}`)).code).toBe(0)
    expect((await run(`copy people --target ${one} --to ${one}/../one`)).code).toBe(2)
    expect((await run(`copy people --target ${one} --to @other`)).code).toBe(1)
    const none = join(folder, 'none')
    for (const line of [
      `tables --target ${none}`,
      `copy people --to ${none}`,
      `diff people --to ${none}`,
    ]) {
      const { code, warned } = await run(line)
      expect([code, warned]).toEqual([2, expect.stringContaining('folder that does not exist')])
    }
    expect(await readdir(folder)).toEqual(['one', 'people.copy', 'two'])
    const mismatch = await run(`copy people --target ${two} --to @other`)
    expect([mismatch.code, mismatch.warned]).toEqual([2, expect.stringContaining(one)])
  })

  it('rejects a copy of a table to itself', async () => {
    const { code, warned } = await run('copy people')
    expect([code, warned]).toEqual([2, expect.stringContaining('--to-table')])
    const other = await run('copy people --to-table People')
    expect([other.code, other.warned]).toEqual([2, expect.stringContaining('--to-table')])
  })
})

describe('rowkey diff', () => {
  it('finds every difference, exits with 3, and its report makes the tables equal', async () => {
    await run('copy people --to @other --create')
    const changed = other.account.table('people')
    await changed.delete(['city-0', '0'], { etag: '*' })
    await changed.insert(new DynamicEntity('city-0', 'new'))
    await changed.insertOrMerge(new DynamicEntity('city-6', '6', { small: 9n }))
    const found = await run('diff people --to @other --report changes.ndjson')
    expect(found.code).toBe(3)
    expect(found.printed).toBe('+ ["city-0","0"]\n- ["city-0","new"]\n~ ["city-6","6"]\n')
    expect(found.warned).toContain(
      '1 row missing in the second table (+), 1 different (~), 1 only there (-).',
    )
    expect((await run('diff people --to @other --json')).printed).toBe(
      '{"table":"people","insert":1,"replace":1,"delete":1}\n',
    )
    expect((await run('import people changes.ndjson --target @other')).code).toBe(0)
    expect((await run('diff people --to @other')).code).toBe(0)
  })

  it('rejects rows in no order, and leaves no report', async () => {
    // Its name does not tell that it is Cosmos DB. Its rows would seem to be missing and surplus.
    const cosmos = await startLocalService({ port: 0, flavour: 'cosmos' })
    const target = cosmos.connectionString.replace(';Flavour=cosmos', '')
    expect((await run(['copy', 'people', '--to', target, '--create'])).code).toBe(0)
    const line = ['diff', 'people', '--to', target, '--report', 'changes']
    const { code, warned } = await run(line)
    await cosmos.close()
    expect([code, warned]).toEqual([1, expect.stringContaining('in the order of keys')])
    expect(await readdir(folder)).toEqual([])
  })

  it('fails at once when its report cannot be written', async () => {
    await run('copy people --to @other --create')
    const { code, warned } = await run('diff people --to @other --report missing/changes')
    expect([code, warned]).toEqual([1, expect.stringContaining('missing/changes')])
  })

  it('and its report make random tables equal', async () => {
    const rows = fc.uniqueArray(
      fc.tuple(
        fc.constantFrom('', 'a', 'b', 'é', '\u{1F600}'),
        fc.constantFrom('', '1', '10', '2', 'ÿ'),
        fc.integer({ min: 0, max: 2 }),
      ),
      { selector: ([partition, row]) => `${partition}|${row}`, maxLength: 12 },
    )
    let run_ = 0
    await fc.assert(
      fc.asyncProperty(rows, rows, async (one, two) => {
        const name = `random${run_++}`
        for (const [place, given] of [
          [tables, one],
          [other, two],
        ] as const) {
          await place.account.createTable(name)
          await place.account
            .table(name)
            .bulk()
            .insert(given.map(([pk, rk, n]) => new DynamicEntity(pk, rk, { n })))
        }
        await run(`diff ${name} --to @other --report changes`)
        await run(`import ${name} changes --target @other`)
        expect((await run(`diff ${name} --to @other`)).warned).toBe('The tables are equal.\n')
      }),
      { numRuns: randomSteps(50) },
    )
  })

  it('sorts the rows of Cosmos DB, which come in no order', async () => {
    const cosmos = connect('memory:', { flavour: 'cosmos' })
    const copied = cosmos.table('people')
    await copied.create()
    const source = tables.account.table('people')
    await source.copyTo(copied)
    await copied.delete(['city-3', '10'], { etag: '*' })
    const found = []
    const first = { query: source.query(), isSorted: true }
    const second = { query: copied.query(), isSorted: false }
    for await (const { change, row } of diffRows(first, second, {}, () => {})) {
      found.push([change, row.rowKey])
    }
    expect(found).toEqual([['insert', '10']])
    await cosmos.close()
  })
})
