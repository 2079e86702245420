import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JournalFile } from '@rowkey/mapper'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bulkTable, row, rows } from '../bulk-account.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowkey-journal-'))
  path = join(folder, 'import.journal')
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

/** An open file with some methods replaced. */
function fileWith(file: FileHandle, changed: Partial<JournalFile>): JournalFile {
  return {
    read: (...args) => file.read(...args),
    write: (...args) => file.write(...args),
    stat: () => file.stat(),
    datasync: () => file.datasync(),
    ...changed,
  }
}

describe('a journal in a file', () => {
  it.each(['a+', 'r+', 'w+'])(
    'R-24: resumes with the same open file, whatever its position, with flags %s',
    async (flags) => {
      await writeFile(path, '')
      const { table, writes } = await bulkTable()
      await using journal = await open(path, flags)
      const run = (count: number) => table.bulk({ journal }).insert(rows('p', count))
      expect(await run(3)).toMatchObject({ done: 3, resumed: 0 })
      expect(await run(5)).toMatchObject({ done: 5, resumed: 3 })
      await journal.readFile() // moves its position
      expect(await run(6)).toMatchObject({ done: 6, resumed: 5 })
      expect(writes()).toEqual([3, 2, 1])
      await using again = await open(path, 'r+')
      expect(await table.bulk({ journal: again }).insert(rows('p', 7))).toMatchObject({
        resumed: 6,
      })
      const lines = (await readFile(path, 'utf8')).split('\n')
      expect(lines.filter((line) => line.startsWith('{"journal"'))).toHaveLength(1)
      expect(lines).toHaveLength(9)
    },
  )

  it('is whole when each write and read moves only some bytes', async () => {
    await writeFile(path, '')
    const { table } = await bulkTable()
    await using file = await open(path, 'r+')
    const journal = fileWith(file, {
      read: (bytes, offset, length, position) =>
        file.read(bytes, offset, Math.min(length, 11), position),
      write: (bytes, offset, length, position) =>
        file.write(bytes, offset, Math.min(length, 7), position),
    })
    expect(await table.bulk({ journal }).insert(rows('p', 3))).toMatchObject({ done: 3 })
    expect(await table.bulk({ journal }).insert(rows('p', 3))).toMatchObject({ resumed: 3 })
  })

  it.each(['a+', 'r+'])(
    'stays usable after a write that stored a part of a line, with flags %s',
    async (flags) => {
      await writeFile(path, '')
      const { table, stored } = await bulkTable()
      await using file = await open(path, flags)
      let writes = 0
      const journal = fileWith(file, {
        async write(bytes, offset, length, position) {
          if (++writes !== 2) return file.write(bytes, offset, length, position)
          await file.write(bytes, offset, 20, position)
          throw new TypeError('disk full')
        },
      })
      const spread = () => Array.from({ length: 6 }, (_, n) => row(`p${n}`, 'r', n))
      const first = await table.bulk({ journal }).insert(spread()).summary()
      expect(first).toMatchObject({ ending: 'failed', cause: { message: 'disk full' }, done: 0 })
      expect(await stored()).toEqual({})
      expect(await table.bulk({ journal }).insert(spread())).toMatchObject({ done: 6 })
      expect(await table.bulk({ journal }).insert(spread())).toMatchObject({ resumed: 6 })
    },
  )

  it.each([
    ['datasync', async () => Promise.reject(new TypeError('no disk'))],
    ['write', async () => ({ bytesWritten: 0 })],
  ] as const)('sends nothing when its %s fails', async (method, failing) => {
    const { table, writes } = await bulkTable()
    await using file = await open(path, 'a+')
    const journal = fileWith(file, { [method]: failing })
    const summary = await table.bulk({ journal }).insert(rows('p', 3)).summary()
    expect(summary).toMatchObject({ ending: 'failed', done: 0 })
    expect(writes()).toEqual([])
  })

  it.each(['r', 'a'])('sends nothing when its flags are %s', async (flags) => {
    await writeFile(path, '')
    const { table, writes } = await bulkTable()
    await using journal = await open(path, flags)
    const summary = await table.bulk({ journal }).insert(rows('p', 3)).summary()
    expect(summary).toMatchObject({ ending: 'failed', done: 0 })
    expect(writes()).toEqual([])
  })

  it('sends nothing with a folder, or a file that is closed', async () => {
    const { table, writes } = await bulkTable()
    await using opened = await open(folder, 'r')
    const closed = await open(path, 'a+')
    await closed.close()
    for (const journal of [opened, closed]) {
      const summary = await table.bulk({ journal }).insert(rows('p', 3)).summary()
      expect(summary).toMatchObject({ ending: 'failed', done: 0 })
    }
    expect(writes()).toEqual([])
  })

  it('ends a run that shares it with another open file before it sends what the other sends', async () => {
    const { table, writes, stored } = await bulkTable(undefined, { exactWrites: true })
    await using one = await open(path, 'a+')
    await using other = await open(path, 'a+')
    const run = (journal: FileHandle) => table.bulk({ journal }).insertOrReplace(rows('p', 300))
    const [first, second] = await Promise.all([run(one).summary(), run(other).summary()])
    const causes = [first.cause, second.cause].filter((cause) => cause !== undefined)
    expect(causes.length).toBeGreaterThan(0)
    for (const cause of causes) expect(cause).toMatchObject({ code: 'JournalInUse' })
    expect(writes().length).toBeLessThan(5)
    expect(await run(one)).toMatchObject({ done: 300 })
    expect(Object.keys(await stored())).toHaveLength(300)
  })
})
