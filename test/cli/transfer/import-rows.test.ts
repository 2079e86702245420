import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseRowLine } from '../../../packages/cli/src/rows/row-line.ts'
import { importRows } from '../../../packages/cli/src/transfer/import-rows.ts'
import { oneAccount } from '../accounts.ts'
import { linesIn } from './lines-in.ts'
import { storeOneRow, textOf } from './one-stored-row.ts'

const { at, run } = oneAccount()

describe('rowkey import', () => {
  beforeEach(() => storeOneRow(at.tables.account))

  it('reports the part of the rows that it has written of those that it has read', async () => {
    const parts: number[] = []
    await importRows({
      table: at.tables.account.table('stored'),
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

  it('stops at a line that it cannot read, keeps its position, and goes on after the correction', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => `{"PartitionKey":"b","RowKey":"${n}"}`)
    const path = join(at.folder, 'rows.import')
    const importLines = (given: readonly string[]) =>
      importRows({
        table: at.tables.account.table('stored'),
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
    expect((await readdir(at.folder)).sort()).toEqual(['rows.import', 'rows.import.40'])
    // What a process leaves that is killed between its position and the journal before it.
    await writeFile(`${path}.20`, '')
    const result = await importLines(lines)
    expect(result).toMatchObject({ written: 50, failed: 0 })
    expect(result.resumed).toBeGreaterThanOrEqual(40)
    expect(await readdir(at.folder)).toEqual([])
  })

  describe('that was interrupted', () => {
    const path = () => join(at.folder, 'rows.ndjson')
    const given = (n: number) => [new DynamicEntity('c', '1', { n }), new DynamicEntity('c', '2')]
    const interrupted = async () => {
      await writeFile(path(), `${textOf(given(1))}broken`)
      expect((await run('import stored rows.ndjson')).code).toBe(1)
      expect((await readdir(at.folder)).sort()).toEqual([
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
      expect(await readdir(at.folder)).toEqual(['rows.ndjson'])
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
      await at.tables.account.table('stored').deletePartition('c')
      await writeFile(path(), textOf(given(1)))
      expect((await run('import stored rows.ndjson')).warned).toBe('Wrote 2 rows to stored.\n')
      expect(await linesIn(at.tables.account, 'stored')).toHaveLength(3)
      expect(await readdir(at.folder)).toEqual(['rows.ndjson'])
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
        expect(await readdir(at.folder)).toEqual(['rows.ndjson'])
        expect((await run('import stored rows.ndjson --type n=Int64')).warned).toContain('--type')
        expect(await readdir(at.folder)).toEqual(['rows.ndjson'])
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
})
