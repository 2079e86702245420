import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { printRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { oneAccount } from '../accounts.ts'
import { linesIn } from './lines-in.ts'
import { storeOneRow, textOf, twoRows } from './one-stored-row.ts'

const { at, run } = oneAccount()

describe('rowkey import', () => {
  beforeEach(() => storeOneRow(at.tables.account))

  it.each([
    ['fail', 1, { n: 0, kept: true }],
    ['skip', 0, { n: 0, kept: true }],
    ['replace', 0, { n: 7 }],
    ['merge', 0, { n: 7, kept: true }],
  ])('--on-existing %s exits with %i', async (what, code, expected) => {
    await writeFile(join(at.folder, 'rows.ndjson'), textOf(twoRows(7)))
    const result = await run(`import stored rows.ndjson --on-existing ${what}`)
    expect(result.code).toBe(code)
    const [first, second] = await at.tables.account
      .table('stored')
      .query()
      .where({ partitionKey: 'a' })
      .toArray()
    expect(
      Object.fromEntries([...(first?.properties ?? [])].map(([name, { value }]) => [name, value])),
    ).toEqual(expected)
    expect(second?.get('n')?.value).toBe(7)
    if (what === 'skip') expect(result.warned).toContain('1 row to stored; skipped 1 that exist.')
    if (what === 'fail') expect(result.warned).toMatch(/1 failed\.\n {2}a 1: .*\n--on-existing/)
  })

  it.each(['skip', 'merge', 'skip --dry-run'])(
    'rejects the changes of a diff with --on-existing %s, which would have no effect',
    async (option) => {
      const input = `${printRowLine(twoRows(8)[0], 'insert')}\n`
      const { code, warned } = await run(`import stored --on-existing ${option}`, { input })
      expect([code, warned]).toEqual([
        2,
        expect.stringContaining('The row ["a","1"] has "odata.change": "insert"'),
      ])
      expect(await linesIn(at.tables.account, 'stored')).toEqual([
        expect.stringContaining('"kept":true'),
      ])
    },
  )

  it('advises --on-existing only for rows that exist', async () => {
    const invalid = '{"PartitionKey":"a/b","RowKey":"1"}'
    expect((await run('import stored', { input: invalid })).warned).not.toContain('--on-existing')
    const input = (n: number) => `{"PartitionKey":"a","RowKey":"1","n":${n}}`
    await run('import stored', { input: input(1) })
    expect((await run('import stored', { input: input(2) })).warned).toContain('--on-existing')
  })
})
