import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DynamicEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'
import { PEOPLE, storePeople } from '../many-people.ts'

const { at, run } = oneAccount(storePeople)

describe('rowkey export', () => {
  it('writes rows in the order of keys, whatever the number of ranges', async () => {
    await run('export people a.ndjson --ranges 1')
    await run('export people b.ndjson --ranges 9')
    expect(await readFile(join(at.folder, 'a.ndjson'), 'utf8')).toBe(
      await readFile(join(at.folder, 'b.ndjson'), 'utf8'),
    )
  })

  it('takes a filter and a selection', async () => {
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

  it('overwrites a file only with --force', async () => {
    await writeFile(join(at.folder, 'people.ndjson'), 'mine')
    const refused = await run('export people people.ndjson')
    expect([refused.code, refused.warned]).toEqual([2, expect.stringContaining('--force')])
    expect((await run('export people people.ndjson --force')).code).toBe(0)
    expect(await readFile(join(at.folder, 'people.ndjson'), 'utf8')).toContain('PartitionKey')
  })

  it('makes the folders of its file, and fails where the system makes none', async () => {
    expect((await run('export people new/folder/people.ndjson')).code).toBe(0)
    expect(await readdir(join(at.folder, 'new/folder'))).toEqual(['people.ndjson'])
    const { code, warned } = await run('export people /proc/nowhere/people.ndjson')
    expect([code, warned]).toEqual([1, expect.stringContaining('/proc/nowhere')])
  })

  it.each(['', ' --partition a', ' --ranges 1'])(
    'leaves no position when it has read nothing, so that a mistyped table can be corrected%s',
    async (options) => {
      const mistyped = await run(`export peple typed.ndjson${options}`)
      expect([mistyped.code, mistyped.warned]).toEqual([1, expect.stringContaining('peple')])
      expect(await readdir(at.folder)).not.toContain('typed.ndjson.partial')
    },
  )

  it('writes no formula with --no-formulas, and a number as it is', async () => {
    const table = at.tables.account.table('formulas')
    await table.create()
    const properties = { name: '=HYPERLINK("x")', at: '@x', minus: -5, plain: 'a=b' }
    await table.insert(new DynamicEntity('-p', '+r', properties))
    await run('export formulas formulas.csv --no-formulas')
    const [headings, cells] = (await readFile(join(at.folder, 'formulas.csv'), 'utf8')).split(
      '\r\n',
    )
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

  it('compresses the standard output with --gzip', async () => {
    const { code } = await run('export people zipped --gzip --partition city-3')
    expect(code).toBe(0)
    const text = gunzipSync(await readFile(join(at.folder, 'zipped'))).toString()
    expect(text.trim().split('\n')).toHaveLength(PEOPLE / 13)
  })
})
