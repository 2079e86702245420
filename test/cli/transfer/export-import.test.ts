import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { gunzipSync } from 'node:zlib'
import { DynamicEntity } from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseRowLine, printRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { type ExportPlan, exportToFile } from '../../../packages/cli/src/transfer/export-table.ts'
import { importRows } from '../../../packages/cli/src/transfer/import-rows.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { type CliSettings, runCli } from '../run-cli.ts'
import { silentShell } from '../silent-shell.ts'
import { everyType, openTables, type Tables } from '../with-tables.ts'

const ROWS = 1_300

let tables: Tables
let folder: string
const run = (line: string | readonly string[], settings: CliSettings = {}) =>
  runCli(line, { target: tables.target, folder, ...settings })

/** All rows of a table as lines, without Timestamps. */
const linesIn = async (name: string) => {
  const rows = await tables.account.table(name).query().allowTableScan().toArray()
  return rows.map((row) => {
    delete row.timestamp
    return printRowLine(row)
  })
}

beforeAll(async () => {
  tables = await openTables()
  const people = tables.account.table('people')
  await people.create()
  const rows = Array.from({ length: ROWS }, (_, n) => everyType(`city-${n % 13}`, `person-${n}`))
  await people.bulk().insert(rows)
})
afterAll(() => tables[Symbol.asyncDispose]())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowkey-export-'))
  return () => rm(folder, { recursive: true })
})

describe('export and import', () => {
  longTest.each(['people.ndjson', 'people.csv.gz'])(
    'move a table by way of %s without loss',
    async (file) => {
      expect((await run(`export people ${file} --ranges 4`)).code).toBe(0)
      expect(await readdir(folder)).toEqual([file])
      const name = `copy${file.replaceAll('.', '')}`
      const { code, warned } = await run(`import ${name} ${file} --create`)
      expect([code, warned]).toEqual([0, `Wrote 1,300 rows to ${name}.\n`])
      expect(await linesIn(name)).toEqual(await linesIn('people'))
      expect(await readdir(folder)).toEqual([file])
    },
  )

  it('write rows in the order of keys, whatever the number of ranges', async () => {
    await run('export people a.ndjson --ranges 1')
    await run('export people b.ndjson --ranges 9')
    expect(await readFile(join(folder, 'a.ndjson'), 'utf8')).toBe(
      await readFile(join(folder, 'b.ndjson'), 'utf8'),
    )
  })

  it('use the standard output and input', async () => {
    const { printed, warned } = await run('export people --partition city-1 --format csv')
    expect([printed.split('\r\n').length - 2, warned]).toEqual([ROWS / 13, ''])
    await run('import piped --create --format csv', { input: printed })
    expect(await linesIn('piped')).toHaveLength(ROWS / 13)
  })

  it('take a filter and a selection', async () => {
    const filter = "PartitionKey eq 'city-2' and RowKey lt 'person-2'"
    const { printed } = await run(['export', 'people', '--filter', filter, '--select', 'big'])
    const row = JSON.parse(printed.split('\n')[0] ?? '')
    expect(Object.keys(row).sort()).toEqual([
      'PartitionKey',
      'RowKey',
      'Timestamp',
      'big',
      'big@odata.type',
    ])
  })

  longTest('report what was done as JSON', async () => {
    const exported = await run('export people people.csv --json')
    expect(JSON.parse(exported.printed)).toMatchObject({
      table: 'people',
      file: 'people.csv',
      rows: ROWS,
      resumed: 0,
    })
    const imported = await run('import reported people.csv --create --json')
    expect(JSON.parse(imported.printed)).toEqual({
      table: 'reported',
      written: ROWS,
      skipped: 0,
      failed: 0,
      resumed: 0,
      failures: [],
    })
  })
})

describe('rowkey export', () => {
  it('overwrites a file only with --force', async () => {
    await writeFile(join(folder, 'people.ndjson'), 'mine')
    const refused = await run('export people people.ndjson')
    expect([refused.code, refused.warned]).toEqual([2, expect.stringContaining('--force')])
    expect((await run('export people people.ndjson --force')).code).toBe(0)
    expect(await readFile(join(folder, 'people.ndjson'), 'utf8')).toContain('PartitionKey')
  })

  it('never takes the place of what is not a file', async () => {
    const { code, warned } = await run('export people . --force')
    expect([code, warned]).toEqual([2, expect.stringContaining('It is not a file')])
  })

  it('makes the folders of its file, and fails where the system makes none', async () => {
    expect((await run('export people new/folder/people.ndjson')).code).toBe(0)
    expect(await readdir(join(folder, 'new/folder'))).toEqual(['people.ndjson'])
    const { code, warned } = await run('export people /proc/nowhere/people.ndjson')
    expect([code, warned]).toEqual([1, expect.stringContaining('/proc/nowhere')])
  })

  it('goes on where an interrupted export ended, and rejects its position with other options', async () => {
    await run('export people whole.ndjson')
    // As an export that was killed after a page: a position, and rows that it does not count.
    const pages = tables.account.table('people').query().allowTableScan().byPage()
    const { value: page } = await pages.next()
    await pages.return()
    const partial = join(folder, 'people.ndjson.partial')
    await mkdir(partial)
    const text = (page?.items ?? []).map((row) => `${printRowLine(row)}\n`).join('')
    await writeFile(join(partial, '0.ndjson'), `${text}{"torn`)
    const host = tables.account.service.endpoint
    const account = `${host.origin.replace('http://', '')}${host.basePath}`
    const token = page?.continuationToken
    const position = [
      { token, rows: page?.items.length, leftOut: 0, bytes: Buffer.byteLength(text) },
    ]
    const subject = { command: 'export', account, table: 'people' }
    await writeFile(join(partial, 'position.json'), JSON.stringify({ ...subject, position }))
    const other = await run('export people people.ndjson --partition a')
    expect([other.code, other.warned]).toEqual([2, expect.stringContaining('position.json')])
    await writeFile(join(partial, '0.ndjson'), text.slice(1))
    const torn = await run('export people people.ndjson')
    expect([torn.code, torn.warned]).toEqual([2, expect.stringContaining('0.ndjson lacks rows')])
    await writeFile(join(partial, '0.ndjson'), `${text}{"torn`)
    const { warned } = await run('export people people.ndjson')
    expect(warned).toMatch(/^Exported 1,300 rows of people \(1,000 by an earlier run\)/)
    expect(await readFile(join(folder, 'people.ndjson'), 'utf8')).toBe(
      await readFile(join(folder, 'whole.ndjson'), 'utf8'),
    )
  })

  it.each(['', ' --partition a', ' --ranges 1'])(
    'leaves no position when it has read nothing, so that a mistyped table can be corrected%s',
    async (options) => {
      const mistyped = await run(`export peple typed.ndjson${options}`)
      expect([mistyped.code, mistyped.warned]).toEqual([1, expect.stringContaining('peple')])
      expect(await readdir(folder)).not.toContain('typed.ndjson.partial')
    },
  )

  it.skipIf(process.platform === 'win32')(
    'follows no link that was planted at its partial folder, and writes for its user only',
    async () => {
      const elsewhere = join(folder, 'elsewhere')
      await mkdir(elsewhere)
      await symlink(elsewhere, join(folder, 'people.ndjson.partial'))
      const { code, warned } = await run('export people people.ndjson')
      expect([code, warned]).toEqual([
        2,
        expect.stringContaining('people.ndjson.partial is a link'),
      ])
      expect([await readdir(elsewhere), await readdir(folder)]).not.toContain('people.ndjson')
      await rm(join(folder, 'people.ndjson.partial'))

      expect((await run('export people people.csv')).code).toBe(0)
      expect((await stat(join(folder, 'people.csv'))).mode & 0o777).toBe(0o600)
    },
  )

  it('writes no formula with --no-formulas, and a number as it is', async () => {
    const table = tables.account.table('formulas')
    await table.create()
    const properties = { name: '=HYPERLINK("x")', at: '@x', minus: -5, plain: 'a=b' }
    await table.insert(new DynamicEntity('-p', '+r', properties))
    await run('export formulas formulas.csv --no-formulas')
    const [headings, cells] = (await readFile(join(folder, 'formulas.csv'), 'utf8')).split('\r\n')
    expect(headings).toBe(
      'PartitionKey,RowKey,Timestamp,name:String,at:String,minus:Int32,plain:String',
    )
    expect(cells).toMatch(/^'-p,'\+r,[^,]*,"'=HYPERLINK\(""x""\)",'@x,-5,a=b$/)
    const { printed } = await run('get formulas -- -p +r')
    expect(printed).toContain('=HYPERLINK')
    expect((await run('query formulas --scan -o csv --no-formulas')).printed).toContain(cells)
    expect(await run('query formulas --scan --no-formulas')).toMatchObject({
      code: 2,
      warned: expect.stringContaining('--no-formulas is for CSV'),
    })
  })

  it('rejects rows that another export has written into its parts', async () => {
    const path = join(folder, 'people.ndjson')
    const table = tables.account.table('people')
    const other = new Set([() => appendFileSync(join(`${path}.partial`, '0.ndjson'), '{}\n')])
    const plan: ExportPlan = {
      shell: silentShell(),
      table,
      query: table.query(),
      path,
      format: 'ndjson',
      isZipped: false,
      concurrency: 2,
      subject: {},
      onRows: () => {
        for (const write of other) write()
        other.clear()
      },
    }
    await expect(exportToFile(plan)).rejects.toMatchObject({
      code: 'ResumeMismatch',
      message: expect.stringContaining('Another command has written to'),
    })
    expect(await readdir(folder)).toEqual([])
    expect(await exportToFile(plan)).toEqual({ rows: ROWS, resumed: 0, leftOut: 0 })
  })

  it('compresses the standard output with --gzip', async () => {
    const { code } = await run('export people zipped --gzip --partition city-3')
    expect(code).toBe(0)
    const text = gunzipSync(await readFile(join(folder, 'zipped'))).toString()
    expect(text.trim().split('\n')).toHaveLength(ROWS / 13)
  })
})

describe('rowkey import', () => {
  const rows = (n: number) => [
    new DynamicEntity('a', '1', { n }),
    new DynamicEntity('a', '2', { n }),
  ]
  const textOf = (given: readonly DynamicEntity[]) =>
    given.map((row) => `${printRowLine(row)}\n`).join('')

  beforeEach(async () => {
    const stored = tables.account.table('stored')
    await stored.dropIfExists()
    await stored.create()
    await stored.insert(new DynamicEntity('a', '1', { n: 0, kept: true }))
  })

  it.each([
    ['fail', 1, { n: 0, kept: true }],
    ['skip', 0, { n: 0, kept: true }],
    ['replace', 0, { n: 7 }],
    ['merge', 0, { n: 7, kept: true }],
  ])('--on-existing %s exits with %i', async (what, code, expected) => {
    await writeFile(join(folder, 'rows.ndjson'), textOf(rows(7)))
    const result = await run(`import stored rows.ndjson --on-existing ${what}`)
    expect(result.code).toBe(code)
    const [first, second] = await tables.account
      .table('stored')
      .query()
      .where({ partitionKey: 'a' })
      .toArray()
    expect(
      Object.fromEntries([...(first?.properties ?? [])].map(([name, { value }]) => [name, value])),
    ).toEqual(expected)
    expect(second?.get('n')?.value).toBe(7)
    if (what === 'fail') expect(result.warned).toMatch(/1 failed\.\n {2}a 1: .*\n--on-existing/)
  })

  it('applies the changes of a diff', async () => {
    const [one, two] = rows(8)
    const input = `${printRowLine(one!, 'delete')}\n${printRowLine(two!, 'insert')}\n`
    expect((await run('import stored', { input })).code).toBe(0)
    expect((await linesIn('stored')).length).toBe(1)
  })

  it.each(['skip', 'merge', 'skip --dry-run'])(
    'rejects the changes of a diff with --on-existing %s, which would have no effect',
    async (option) => {
      const input = `${printRowLine(rows(8)[0]!, 'insert')}\n`
      const { code, warned } = await run(`import stored --on-existing ${option}`, { input })
      expect([code, warned]).toEqual([
        2,
        expect.stringContaining('The row ["a","1"] has "odata.change": "insert"'),
      ])
      expect(await linesIn('stored')).toEqual([expect.stringContaining('"kept":true')])
    },
  )

  it('reports the part of the rows that it has written of those that it has read', async () => {
    const parts: number[] = []
    await importRows({
      table: tables.account.table('stored'),
      rows: (async function* () {
        for (let n = 0; n < 500; n++)
          yield parseRowLine(`{"PartitionKey":"part","RowKey":"${n}"}`, 'here')
      })(),
      onExisting: 'replace',
      concurrency: 1,
      segment: 300,
      signal: new AbortController().signal,
      onRows: (_rows, settled) => parts.push(settled),
    })
    expect(parts[0]).toBeLessThan(0.5)
    expect(Math.max(...parts.slice(0, -1))).toBeLessThanOrEqual(1)
    expect(parts.at(-1)).toBe(1)
  })

  it('reads everything and writes nothing with --dry-run', async () => {
    const { warned } = await run('import stored --dry-run', { input: textOf(rows(1)) })
    expect(warned).toBe('Would write 2 rows to stored.\n')
    expect(await linesIn('stored')).toHaveLength(1)
  })

  it('names every row that it would not send with --dry-run', async () => {
    const long = 'x'.repeat(40_000)
    const wide = Object.fromEntries(Array.from({ length: 253 }, (_, n) => [`n${n}`, n]))
    const given = [
      new DynamicEntity('a/b', '1'),
      new DynamicEntity('a', 'b'.repeat(513)),
      new DynamicEntity('a', '3', { long }),
      new DynamicEntity('a', '4', wide),
      new DynamicEntity('a', '5', { fine: true }),
    ]
    const input = `${textOf(given)}{"PartitionKey":"a","RowKey":"6","first-name":1}\n`
    const tried = await run('import stored --dry-run --json', { input })
    const real = await run('import stored --json', { input })
    expect([tried.code, real.code]).toEqual([1, 1])
    const found = JSON.parse(tried.printed)
    expect(found).toMatchObject({ written: 1, failed: 5 })
    const failures = found.failures.map(({ key, message, code }: (typeof found.failures)[0]) => ({
      ...{ key, code },
      message: expect.stringContaining(message),
    }))
    expect(failures[0].key).toEqual(['a/b', '1'])
    expect(JSON.parse(real.printed)).toEqual({ ...found, failures })
    const table = await run('import no/table --dry-run', { input })
    expect(table.code).toBe(2)
  })

  it('stops at a line that it cannot read, keeps its position, and goes on after the correction', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => `{"PartitionKey":"b","RowKey":"${n}"}`)
    const path = join(folder, 'rows.import')
    const importLines = (given: readonly string[]) =>
      importRows({
        table: tables.account.table('stored'),
        rows: (async function* () {
          for (const line of given) yield parseRowLine(line, 'here')
        })(),
        onExisting: 'fail',
        concurrency: 4,
        segment: 20,
        resume: { path, subject: { table: 'stored' } },
        signal: new AbortController().signal,
        onRows: () => {},
      })
    await expect(importLines([...lines, 'broken'])).rejects.toThrow('here: ')
    expect((await readdir(folder)).sort()).toEqual(['rows.import', 'rows.import.40'])
    // What a process leaves that is killed between its position and the journal before it.
    await writeFile(`${path}.20`, '')
    const result = await importLines(lines)
    expect(result).toMatchObject({ written: 50, failed: 0 })
    expect(result.resumed).toBeGreaterThanOrEqual(40)
    expect(await readdir(folder)).toEqual([])
  })

  describe('that was interrupted', () => {
    const path = () => join(folder, 'rows.ndjson')
    const given = (n: number) => [new DynamicEntity('c', '1', { n }), new DynamicEntity('c', '2')]
    const interrupted = async () => {
      await writeFile(path(), `${textOf(given(1))}broken`)
      expect((await run('import stored rows.ndjson')).code).toBe(1)
      expect((await readdir(folder)).sort()).toEqual([
        'rows.ndjson',
        'rows.ndjson.stored.import',
        'rows.ndjson.stored.import.0',
      ])
    }

    it('goes on when the line that it could not read is corrected', async () => {
      await interrupted()
      await writeFile(path(), `${textOf(given(1))}\n{"PartitionKey":"c","RowKey":"3"}`)
      const { warned } = await run('import stored rows.ndjson')
      expect(warned).toBe('Wrote 3 rows to stored; 2 of them by an earlier run.\n')
      expect(await readdir(folder)).toEqual(['rows.ndjson'])
    })

    it('names its position when rows that were sent have changed', async () => {
      await interrupted()
      await writeFile(path(), textOf(given(2)))
      const { code, warned } = await run('import stored rows.ndjson')
      expect([code, warned]).toEqual([2, expect.stringContaining('rows.ndjson.stored.import to')])
    })

    it('begins anew without its position, and sends rows that were removed since', async () => {
      await interrupted()
      await rm(`${path()}.stored.import`)
      await tables.account.table('stored').deletePartition('c')
      await writeFile(path(), textOf(given(1)))
      expect((await run('import stored rows.ndjson')).warned).toBe('Wrote 2 rows to stored.\n')
      expect(await linesIn('stored')).toHaveLength(3)
      expect(await readdir(folder)).toEqual(['rows.ndjson'])
    })

    it.each(['broken', 'missing'])(
      'may have other options when nothing was written: %s',
      async (what) => {
        await writeFile(
          path(),
          what === 'broken' ? `broken\n${textOf(given(1))}` : textOf(given(1)),
        )
        expect((await run(`import ${what === 'broken' ? 'stored' : what} rows.ndjson`)).code).toBe(
          1,
        )
        expect(await readdir(folder)).toEqual(['rows.ndjson'])
        expect((await run('import stored rows.ndjson --type n=Int64')).warned).toContain('--type')
        expect(await readdir(folder)).toEqual(['rows.ndjson'])
      },
    )

    it.each(['--type n=Int32', '--on-existing skip', '--format ndjson'])(
      'rejects the option %s that it did not have',
      async (option) => {
        await interrupted()
        const { code, warned } = await run(`import stored rows.ndjson ${option}`)
        expect([code, warned]).toEqual([2, expect.stringContaining('another command')])
      },
    )
  })

  it('reads the JSON that query prints, and a set of files by the manifest of AzCopy', async () => {
    const { printed } = await run('query people -p city-1 --take 5 --json')
    expect(await run('import stored', { input: printed })).toMatchObject({
      warned: 'Wrote 5 rows to stored.\n',
    })
    const [first, ...others] = JSON.parse(printed)
    await writeFile(join(folder, 'people_2026.manifest'), '"Version",2')
    await writeFile(join(folder, 'people_2026_1A.json'), JSON.stringify({ value: [first] }))
    await writeFile(join(folder, 'people_2026_2B.json'), JSON.stringify(others))
    await writeFile(join(folder, 'other.json'), '[{}]')
    const line = 'import stored people_2026.manifest --on-existing replace'
    expect((await run(line)).warned).toBe('Wrote 5 rows to stored.\n')
    await writeFile(join(folder, 'lone.manifest'), '')
    expect(await run('import stored lone.manifest')).toMatchObject({
      code: 1,
      warned: expect.stringContaining('no JSON file beside it begins with lone_'),
    })
  })

  it('exports an array to a file of JSON', async () => {
    expect((await run('export people people.json -p city-1')).code).toBe(0)
    const rows = JSON.parse(await readFile(join(folder, 'people.json'), 'utf8'))
    expect(rows).toHaveLength(ROWS / 13)
    expect((await run('export people none.json -p nowhere')).code).toBe(0)
    expect(await readFile(join(folder, 'none.json'), 'utf8')).toBe('[]\n')
    expect((await run('import stored people.json --create')).warned).toContain('Wrote 100 rows')
  })

  it('renames properties, and rejects a row that has both names', async () => {
    const input = '{"PartitionKey":"renamed","RowKey":"1","id":"x","n":1}'
    expect((await run('import stored --rename id=id_ --rename n=m', { input })).code).toBe(0)
    const row = await tables.account.table('stored').get(['renamed', '1'])
    expect([...row.properties.keys()]).toEqual(['id_', 'm'])
    expect((await run('copy stored -p renamed --to-table copied --create --rename m=k')).code).toBe(
      0,
    )
    const copied = await tables.account.table('copied').get(['renamed', '1'])
    expect([...copied.properties.keys()]).toEqual(['id_', 'k'])
    expect(await run('import stored --rename id=n', { input })).toMatchObject({
      code: 2,
      warned: 'rowkey: The row ["renamed","1"] has two properties n.\n',
    })
  })

  it.skipIf(process.platform !== 'linux')(
    'names --resume-file where the position cannot be written',
    async () => {
      await writeFile(join(folder, 'rows.ndjson'), textOf(rows(1)))
      expect(await run('import stored rows.ndjson --resume-file /sys/position')).toMatchObject({
        code: 2,
        warned: expect.stringMatching(/kept in \/sys\/position \(E\w+\)\. Give --resume-file with/),
      })
    },
  )

  it('advises --on-existing only for rows that exist', async () => {
    const invalid = '{"PartitionKey":"a/b","RowKey":"1"}'
    expect((await run('import stored', { input: invalid })).warned).not.toContain('--on-existing')
    const input = (n: number) => `{"PartitionKey":"a","RowKey":"1","n":${n}}`
    await run('import stored', { input: input(1) })
    expect((await run('import stored', { input: input(2) })).warned).toContain('--on-existing')
  })

  it('rejects the ending of a format that it does not know', async () => {
    await writeFile(join(folder, 'people.tsv'), 'PartitionKey\tRowKey\ntabs\t1\n')
    expect(await run('import stored people.tsv')).toMatchObject({
      code: 2,
      warned: expect.stringContaining('Give --format'),
    })
    const given = 'import stored people.tsv --format csv --delimiter tab'
    expect((await run(given)).warned).toBe('Wrote 1 row to stored.\n')
    expect((await run('export people people.xlsx')).code).toBe(2)
  })

  it('names a missing table, and exits with 1', async () => {
    const { code, warned } = await run('import missing', { input: textOf(rows(1)) })
    expect([code, warned]).toEqual([1, expect.stringContaining('with rowkey create, or --create')])
  })
})
