import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DynamicEntity } from 'rowkey'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseRowLine, type RowLine } from '../../../packages/cli/src/rows/row-line.ts'
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

  describe('in segments', () => {
    const path = () => join(at.folder, 'rows.import')
    const lines = Array.from({ length: 50 }, (_, n) => `{"PartitionKey":"b","RowKey":"${n}"}`)
    const importLines = (given: readonly string[]) =>
      importRows({
        table: at.tables.account.table('stored'),
        rows: (async function* () {
          for (const line of given) yield parseRowLine(line, 'here')
        })(),
        onExisting: 'fail',
        concurrency: 4,
        segment: 20,
        resume: { path: path(), subject: { table: 'stored' } },
        signal: new AbortController().signal,
        onRows: () => {},
      })

    it('stops at a line that it cannot read, keeps its position, and goes on after the correction', async () => {
      await expect(importLines([...lines, 'broken'])).rejects.toThrow('here: ')
      expect((await readdir(at.folder)).sort()).toEqual(['rows.import', 'rows.import.40'])
      // What a process leaves that is killed between its position and the journal before it.
      await writeFile(`${path()}.20`, '')
      const result = await importLines([...lines, '{"PartitionKey":"b","RowKey":"corrected"}'])
      expect(result).toMatchObject({ written: 51, failed: 0 })
      expect(result.resumed).toBeGreaterThanOrEqual(40)
      expect(await readdir(at.folder)).toEqual([])
    })

    it.each(['fail', 'replace'] as const)(
      'writes every row, also when a signal has interrupted it: --on-existing %s',
      async (onExisting) => {
        const ending = new AbortController()
        const importAll = (signal: AbortSignal) =>
          importRows({
            table: at.tables.account.table('stored'),
            rows: (async function* () {
              for (const [n, line] of lines.entries()) {
                if (n === 35) ending.abort()
                yield parseRowLine(line, 'here')
              }
            })(),
            ...{ onExisting, concurrency: 1, segment: 20, signal, onRows: () => {} },
            resume: { path: path(), subject: { table: 'stored' } },
          })
        await expect(importAll(ending.signal)).rejects.toThrow('abort')
        expect(await linesIn(at.tables.account, 'stored')).not.toHaveLength(51)
        const { written, resumed } = await importAll(new AbortController().signal)
        expect([written, resumed >= 20]).toEqual([50, true])
        expect(await linesIn(at.tables.account, 'stored')).toHaveLength(51)
      },
    )

    it.each([
      ['a row before its position has changed', lines.with(3, lines[3]?.replace('3', 'x') ?? '')],
      [
        'a row before its position has moved',
        lines.with(3, lines[4] ?? '').with(4, lines[3] ?? ''),
      ],
      ['a row before its position is missing', lines.toSpliced(3, 1)],
      ['it has fewer rows than before its position', lines.slice(0, 39)],
    ])('names its position when %s', async (_, changed) => {
      await expect(importLines([...lines, 'broken'])).rejects.toThrow('here: ')
      await expect(importLines(changed)).rejects.toMatchObject({
        code: 'ResumeMismatch',
        message: `The input has changed since an earlier import read it. Give the same input, or delete ${path()} to begin anew.`,
      })
      expect(await importLines(lines)).toMatchObject({ written: 50, failed: 0 })
    })
  })

  it('rejects what is not a position', async () => {
    const path = join(at.folder, 'rows.ndjson')
    const position = `${path}.stored.import`
    await writeFile(path, '{"PartitionKey":"c","RowKey":"1"}\nbroken')
    await run('import stored rows.ndjson')
    const kept = JSON.parse(await readFile(position, 'utf8'))
    const counts = [{ written: -1 }, { skipped: '0' }, { failed: 0.5 }, { resumed: null }]
    const failures = [null, [null], [{ key: 'a', message: 'b' }], [{ key: ['a'], message: 5 }]]
    for (const wrong of [
      ...[{ settled: -1 }, { digest: 5 }, ...counts],
      ...failures.map((given) => ({ failures: given })),
    ]) {
      const changed = { ...kept, position: { ...kept.position, ...wrong } }
      await writeFile(position, JSON.stringify(changed))
      expect([wrong, await run('import stored rows.ndjson')]).toMatchObject([
        wrong,
        { code: 2, warned: expect.stringContaining('is not the position of a command') },
      ])
    }
    await writeFile(position, JSON.stringify(kept))
    expect((await run('import stored rows.ndjson')).warned).toContain('line 2: ')
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

    it('says what was written before a line that it cannot read, and what to do', async () => {
      await writeFile(path(), `${textOf(given(1))}broken`)
      const { warned } = await run('import stored rows.ndjson')
      expect(warned).toMatch(/rows.ndjson, line 3: The text is not JSON/)
      expect(warned).toContain(
        'Written so far: 2 rows. Correct the input and run the same command again: it goes on there.',
      )
      const piped = await run('import stored', { input: `${textOf(given(1))}broken` })
      expect(piped.warned).toMatch(/Written so far: 2 rows\.\n$/)
      const first = await run('import stored', { input: 'broken' })
      expect(first.warned).not.toContain('Written')
    })

    it('knows the rows that it wrote itself, and skips only others', async () => {
      await writeFile(path(), `${textOf(given(1))}broken`)
      await run('import stored rows.ndjson --on-existing skip')
      await writeFile(path(), textOf(given(1)))
      const { warned } = await run('import stored rows.ndjson --on-existing skip')
      expect(warned).toBe('Wrote 2 rows to stored; 2 of them by an earlier run.\n')
    })

    it('keeps its position when the next run cannot read the first row', async () => {
      await interrupted()
      const files = await readdir(at.folder)
      await writeFile(path(), 'broken')
      expect((await run('import stored rows.ndjson')).code).toBe(1)
      expect(await readdir(at.folder)).toEqual(files)
    })

    it('stops reading, also when a row never comes', async () => {
      const ending = new AbortController()
      let isEnded = false
      const rows: AsyncIterator<RowLine> = {
        next: () => {
          ending.abort()
          return new Promise(() => {})
        },
        return: () => {
          isEnded = true
          return Promise.reject(new Error('the file cannot be closed'))
        },
      }
      const run = importRows({
        table: at.tables.account.table('stored'),
        rows: { [Symbol.asyncIterator]: () => rows },
        ...{ onExisting: 'fail', segment: 20, signal: ending.signal, onRows: () => {} },
      })
      await expect(run).rejects.toThrow('abort')
      expect(isEnded).toBe(true)
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
