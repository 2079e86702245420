import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oneAccount } from '../accounts.ts'

const { at, run } = oneAccount((account) => account.createTable('stored'))

describe('rowkey import', () => {
  it('renames properties, and rejects a row that has both names', async () => {
    const input = '{"PartitionKey":"renamed","RowKey":"1","id":"x","n":1}'
    expect((await run('import stored --rename id=id_ --rename n=m', { input })).code).toBe(0)
    const row = await at.tables.account.table('stored').get(['renamed', '1'])
    expect([...row.properties.keys()]).toEqual(['id_', 'm'])
    expect((await run('copy stored -p renamed --to-table copied --create --rename m=k')).code).toBe(
      0,
    )
    const copied = await at.tables.account.table('copied').get(['renamed', '1'])
    expect([...copied.properties.keys()]).toEqual(['id_', 'k'])
    expect(await run('import stored --rename id=n', { input })).toMatchObject({
      code: 2,
      warned: 'rowkey: The row ["renamed","1"] has two properties n.\n',
    })
    const more = `{"PartitionKey":"renamed","RowKey":"2","id":"x"}\n${input}`
    await writeFile(join(at.folder, 'more.ndjson'), more)
    expect((await run('import stored more.ndjson --rename id=n')).warned).toBe(
      'rowkey: The row ["renamed","1"] has two properties n. Written so far: 1 row.\n',
    )
  })

  it.each([
    ['id', 'Give old=new.'],
    ['id=id', 'Give old=new.'],
    ['=id', 'Give old=new.'],
    ['id=', 'Give old=new.'],
    ['id=a=b', 'Give old=new.'],
    ['id=a --rename id=b', 'id has two new names.'],
  ])('rejects --rename %s', async (rename, reason) => {
    const { code, warned } = await run(`import stored --rename ${rename}`, { input: '' })
    expect([code, warned]).toEqual([2, expect.stringContaining(reason)])
  })
})
