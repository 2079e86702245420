import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { DynamicEntity } from 'rowkey'
import { beforeEach, describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { storePeople } from '../many-people.ts'
import { linesIn } from '../transfer/lines-in.ts'
import { storeOneRow, textOf, twoRows } from '../transfer/one-stored-row.ts'

const { at, run } = oneAccount(storePeople)

describe('rowkey import', () => {
  beforeEach(() => storeOneRow(at.tables.account))

  it('reads everything and writes nothing with --dry-run', async () => {
    const { warned } = await run('import stored --dry-run', { input: textOf(twoRows(1)) })
    expect(warned).toBe('Would write 2 rows to stored.\n')
    expect(await linesIn(at.tables.account, 'stored')).toHaveLength(1)
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

  it('reads CSV whose cells other characters separate', async () => {
    const input = 'PartitionKey;RowKey\nsemicolons;1\n'
    const { warned } = await run('import stored --format csv --delimiter ;', { input })
    expect(warned).toBe('Wrote 1 row to stored.\n')
  })

  it('reads the JSON that query prints, and a set of files by the manifest of AzCopy', async () => {
    const { printed } = await run('query people -p city-1 --take 5 --json')
    expect(await run('import stored', { input: printed })).toMatchObject({
      warned: 'Wrote 5 rows to stored.\n',
    })
    const [first, ...others] = JSON.parse(printed)
    await writeFile(join(at.folder, 'people_2026.manifest'), '"Version",2')
    await writeFile(join(at.folder, 'people_2026_1A.json'), JSON.stringify({ value: [first] }))
    await writeFile(join(at.folder, 'people_2026_2B.json'), JSON.stringify(others))
    await writeFile(join(at.folder, 'other.json'), '[{}]')
    await writeFile(join(at.folder, 'people_2026_notes.txt'), 'Exported on Sunday.')
    const line = 'import stored people_2026.manifest --on-existing replace'
    expect((await run(line)).warned).toBe('Wrote 5 rows to stored.\n')
  })

  it.each([
    ['', 'for some files, and 0 JSON files beside it begin with people_'],
    ['{"Version":2,"TotalDataFiles":3}', 'for 3 files, and 2 JSON files beside it begin with'],
    ['"Version",2\n"TotalDataFiles",1\n', 'for 1 files, and 2 JSON files beside it begin with'],
  ])('rejects the manifest %j of other files than those beside it', async (manifest, reason) => {
    await writeFile(join(at.folder, 'people.manifest'), manifest)
    for (const name of manifest === '' ? [] : ['people_1.json', 'people_2.json'])
      await writeFile(join(at.folder, name), textOf(twoRows(1)))
    const { code, warned } = await run('import stored people.manifest')
    expect([code, warned]).toEqual([1, expect.stringContaining(reason)])
    expect(await linesIn(at.tables.account, 'stored')).toHaveLength(1)
  })

  it('names a folder in place of a file', async () => {
    expect(await run('import stored .')).toMatchObject({
      code: 1,
      warned: `rowkey: ${at.folder} is a folder. Give a file.\n`,
    })
  })

  it('imports no rows by the manifest of an empty table', async () => {
    await writeFile(join(at.folder, 'none.manifest'), '{"Version":2,"TotalDataFiles":0}')
    expect(await run('import stored none.manifest')).toMatchObject({
      warned: 'Wrote 0 rows to stored.\n',
    })
  })

  it.skipIf(process.platform !== 'linux')(
    'names --resume-file where the position cannot be written',
    async () => {
      await writeFile(join(at.folder, 'rows.ndjson'), textOf(twoRows(1)))
      expect(await run('import stored rows.ndjson --resume-file /sys/position')).toMatchObject({
        code: 2,
        warned: expect.stringMatching(/kept in \/sys\/position \(E\w+\)\. Give --resume-file with/),
      })
    },
  )

  it('rejects the ending of a format that it does not know', async () => {
    await writeFile(join(at.folder, 'people.tsv'), 'PartitionKey\tRowKey\ntabs\t1\n')
    expect(await run('import stored people.tsv')).toMatchObject({
      code: 2,
      warned: expect.stringContaining('Give --format'),
    })
    for (const delimiter of ['tab', '\\t']) {
      const given = `import stored people.tsv --format csv --delimiter ${delimiter}`
      expect((await run(given)).warned).toBe('Wrote 1 row to stored.\n')
    }
    expect((await run('export people people.xlsx')).code).toBe(2)
  })

  it.each([
    ['--delimiter ab', 'Give one character that is not a letter'],
    ['--delimiter a', 'Give one character that is not a letter'],
    ['--delimiter "', 'Give one character that is not a letter'],
    ['--type n', 'Give name=type, with one of Binary, '],
    ['--type n=Word', 'Give name=type, with one of Binary, '],
    ['--type n=Int32 --type n=Int64', 'n has two types.'],
  ])('rejects %s', async (option, reason) => {
    const { code, warned } = await run(`import stored --format csv ${option}`, { input: '' })
    expect([code, warned]).toEqual([2, expect.stringContaining(reason)])
  })

  it('creates the folder and the table with --create only', async () => {
    const input = textOf(twoRows(1))
    const target = `--target ${join(at.folder, 'fresh')}`
    expect((await run(`import rows ${target}`, { input })).code).toBe(2)
    expect((await run(`import rows ${target} --create`, { input })).warned).toBe(
      'Wrote 2 rows to rows.\n',
    )
    expect(await run(`import other ${target}`, { input })).toMatchObject({
      code: 1,
      warned: expect.stringContaining('TableNotFound'),
    })
  })

  it('names a missing table, and exits with 1', async () => {
    const { code, warned } = await run('import missing', { input: textOf(twoRows(1)) })
    expect([code, warned]).toEqual([1, expect.stringContaining('with rowkey create, or --create')])
  })
})
