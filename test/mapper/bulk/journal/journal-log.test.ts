import type { BulkJournal } from '@rowkey/mapper'
import type { Transport } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { CASE_STEP } from '../../../support/cases-to-play.ts'
import { randomSteps } from '../../../support/random-steps.ts'
import { bulkTable, row, rows } from '../bulk-account.ts'
import { MemoryJournal } from './memory-journal.ts'

/** So many bytes lie between two disks that are full: one when all steps are played. */
const BYTES = 10 / randomSteps(10)

/** A store of text whose appends store what fits, and then fail. */
class SmallDisk implements BulkJournal {
  text = ''
  free: number
  wasFull = false
  #isFreed: boolean

  constructor(free: number, isFreed: boolean) {
    this.free = free
    this.#isFreed = isFreed
  }

  read(): string {
    return this.text
  }

  async append(text: string): Promise<void> {
    await new Promise(setImmediate)
    const stored = text.slice(0, this.free)
    this.text += stored
    this.free -= stored.length
    if (stored === text) return
    this.wasFull = true
    if (this.#isFreed) this.free = Number.POSITIVE_INFINITY
    throw new TypeError('disk full')
  }
}

/** Counts how often each row was written. */
function counting(counts: Map<string, number>): (transport: Transport) => Transport {
  return (transport) => async (request, limits) => {
    const response = await transport(request, limits)
    const isApplied = response.status < 300 && !response.body.includes('odata.error')
    if (request.method === 'GET' || !isApplied) return response
    for (const [, key = ''] of request.body?.matchAll(/"RowKey":"(r\d+)"/g) ?? []) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return response
  }
}

const input = (count: number) =>
  Array.from({ length: count }, (_, n) => row(`p${n % 3}`, `r${n}`, n))

const onceEach = (count: number) =>
  Object.fromEntries(input(count).map(({ rowKey }) => [rowKey, 1] as const))

describe('a journal that is torn', () => {
  it.each([
    ['stays full until the run has ended', false],
    ['has space again for the next line', true],
  ] as const)(
    'R-24: applies each exact write once, whichever byte of it finds the disk full, which %s',
    async (_, isFreed) => {
      const size = await journalSize()
      for (let free = 0; free <= size; free += BYTES) {
        const counts = new Map<string, number>()
        const { table } = await bulkTable(counting(counts), { exactWrites: true })
        const journal = new SmallDisk(free, isFreed)
        const options = { journal, concurrency: 3 }
        const first = await table.bulk(options).insertOrReplace(input(4)).summary()
        expect(first.ending, `${free} bytes`).toBe(journal.wasFull ? 'failed' : 'complete')
        expect(first.done, `${free} bytes`).toBe(counts.size)
        journal.free = Number.POSITIVE_INFINITY
        const second = await table.bulk(options).insertOrReplace(input(4))
        expect(second, `${free} bytes`).toMatchObject({ done: 4 })
        expect(Object.fromEntries(counts), `${free} bytes`).toEqual(onceEach(4))
      }
    },
    60_000,
  )

  it('sends nothing whose line follows one that is torn', async () => {
    const counts = new Map<string, number>()
    const { table } = await bulkTable(counting(counts), { exactWrites: true })
    const journal = new SmallDisk(200, true)
    const many = Array.from({ length: 900 }, (_, n) => row(`p${n % 9}`, `r${n}`, n))
    const first = await table.bulk({ journal }).insertOrReplace(many).summary()
    expect(first).toMatchObject({ ending: 'failed', cause: { message: 'disk full' } })
    expect(counts.size).toBe(first.done)
    expect(await table.bulk({ journal }).insertOrReplace(many)).toMatchObject({ done: 900 })
    expect([...new Set(counts.values())]).toEqual([1])
  })

  it('begins anew when its first line is torn at any byte: nothing was sent then', async () => {
    const whole = new MemoryJournal()
    const { table } = await bulkTable()
    await table.bulk({ journal: whole }).insertOrReplace(rows('p', 1))
    const header = whole.text.split('\n')[0] ?? ''
    for (let kept = 0; kept <= header.length; kept += CASE_STEP) {
      for (const rest of ['', '\r\n', '\0\0\0']) {
        const journal = new MemoryJournal()
        journal.text = header.slice(0, kept) + rest
        const run = () => table.bulk({ journal }).insertOrReplace(rows('p', 2))
        expect(await run(), `${kept} bytes`).toMatchObject({ done: 2, resumed: 0 })
        expect(await run(), `${kept} bytes`).toMatchObject({ done: 2, resumed: 2 })
      }
    }
  })

  it.each([
    ['begins with a byte order mark', (text: string) => `\uFEFF${text}`],
    ['has line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['has each line twice', (text: string) => text.replace(/^.*$/gm, '$&\n$&')],
    ['has its lines again at the end', (text: string) => `${text}\n${text}`],
    [
      'has lines of others',
      (text: string) =>
        text.replaceAll(
          '\n',
          '\nhi\n\n[1]\n{"sent":7,"ended":null}\n{"ended":{"done":[9,"x"],"x":[0]}}\n{"sent":[5]}\n{"sent":[[3,7]]}\n{"sent":[["4","x"]]}\n{"sent":[{"0":3,"1":"x"}]}\n',
        ),
    ],
    ['ends with zeros', (text: string) => `${text}\n{"ended":{"fai\0\0\0\0`],
    ['has the lines of an earlier version', (text: string) => `${text}\n`],
  ] as const)('resumes when it %s', async (_, changed) => {
    const { table, stored } = await bulkTable()
    const journal = new MemoryJournal()
    await table.bulk({ journal }).insert(rows('p', 3))
    journal.text = changed(journal.text)
    const summary = await table.bulk({ journal }).insert(rows('p', 5))
    expect(summary).toMatchObject({ done: 5, failed: 0, unknown: 0 })
    expect(await table.bulk({ journal }).insert(rows('p', 5))).toMatchObject({ resumed: 5 })
    expect(Object.keys(await stored())).toHaveLength(5)
  })

  it.each([
    '{"name":"rowkey"}',
    '[]',
    '{"journal":"rowkey bulk 2"}',
    '{"journal":"rowkey bulk 10',
    'x',
  ])('rejects the file of another program, and leaves it as it is: %s', async (text) => {
    const { table, writes } = await bulkTable()
    const journal = new MemoryJournal()
    journal.text = text
    const { cause, read } = await table.bulk({ journal }).insert(rows('p', 1)).summary()
    expect(cause).toMatchObject({ code: 'JournalMismatch' })
    expect([journal.text, read, writes()]).toEqual([text, 0, []])
  })

  it.each([
    ['another account', '"account":"', '"account":"https://other.example/'],
    ['another table', '"table":"', '"table":"other'],
    ['a later version', 'rowkey bulk 1', 'rowkey bulk 2'],
  ])('rejects the journal of %s', async (_, said, other) => {
    const { table, writes } = await bulkTable()
    const journal = new MemoryJournal()
    await table.bulk({ journal }).insert(rows('p', 1))
    const changed = new MemoryJournal()
    changed.text = journal.text.replace(said, other)
    expect(changed.text).not.toBe(journal.text)
    writes().length = 0
    const { cause } = await table.bulk({ journal: changed }).insert(rows('p', 1)).summary()
    expect(cause).toMatchObject({ code: 'JournalMismatch' })
    expect(writes()).toEqual([])
  })

  it('never sends again what was done or skipped, whatever lines come late', async () => {
    const { table, writes } = await bulkTable()
    const journal = new MemoryJournal()
    await table.insert(row('p', '00000', 1))
    const run = () => table.bulk({ journal, onConflict: 'skip' }).insert(rows('p', 2))
    expect(await run()).toMatchObject({ done: 1, skipped: 1 })
    const sent = journal.text.split('\n').filter((line) => line.includes('"sent"'))
    journal.text += `\n${sent.join('\n')}`
    writes().length = 0
    expect(await run()).toMatchObject({ done: 1, skipped: 1, resumed: 2 })
    expect(writes()).toEqual([])
  })

  it('closes the input of a run whose journal cannot be used', async () => {
    const { table } = await bulkTable()
    let closed = 0
    const given = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: true, value: undefined }) as const,
        return: () => ({ done: true, value: ++closed }) as const,
      }),
    }
    const read = () => Promise.reject(new TypeError('no disk'))
    const journal = { read, append: async () => {} }
    const summary = await table.bulk({ journal }).insert(given).summary()
    expect(summary).toMatchObject({ ending: 'failed', cause: { message: 'no disk' } })
    expect(closed).toBe(1)
  })

  it('rejects a journal that returns bytes', async () => {
    const { table } = await bulkTable()
    const journal = { read: () => new Uint8Array(1), append: async () => {} }
    const { cause } = await table
      .bulk({ journal: journal as never })
      .insert(rows('p', 1))
      .summary()
    expect(cause).toMatchObject({ code: 'InvalidOptionValue', message: /read\(\).*text/ })
  })

  it('ends a run before it sends when another run opens its journal', async () => {
    const { table, stored } = await bulkTable()
    const journal = new MemoryJournal()
    const bulk = table.bulk({ journal })
    const [first, second] = await Promise.all([
      bulk.insert(rows('p', 3)).summary(),
      bulk.insert(rows('q', 3)).summary(),
    ])
    expect(first).toMatchObject({ ending: 'failed', cause: { code: 'JournalInUse' }, done: 0 })
    expect(second).toMatchObject({ ending: 'complete', done: 3 })
    expect(await bulk.insert(rows('q', 3))).toMatchObject({ resumed: 3 })
    expect(Object.keys(await stored())).toHaveLength(3)
  })

  it('ends a run whose journal another run opens while it writes', async () => {
    const counts = new Map<string, number>()
    const { table } = await bulkTable(counting(counts), { exactWrites: true })
    const journal = new MemoryJournal()
    const append = journal.append.bind(journal)
    let second: Promise<unknown> | undefined
    journal.append = async (text) => {
      await append(text)
      if (text.includes('"sent":[[1,')) second ??= run().summary()
    }
    const run = () => table.bulk({ journal, concurrency: 1 }).insertOrReplace(input(9))
    const first = await run().summary()
    expect(first).toMatchObject({ ending: 'failed', cause: { code: 'JournalInUse' } })
    expect(first.done).toBeLessThan(9)
    expect(await second).toMatchObject({ ending: 'complete', done: 9 })
    expect(Object.fromEntries(counts)).toEqual(onceEach(9))
  })
})

describe('what a journal records', () => {
  it('names overtaken operations only when there are some', async () => {
    const { table } = await bulkTable()
    const journal = new MemoryJournal()
    await table.bulk({ journal }).insert(rows('p', 3))
    expect(journal.text).not.toContain('overtaken')
  })

  it('leaves out operations that were never sent', async () => {
    const { table } = await bulkTable()
    const journal = new MemoryJournal()
    const same = await table.insert(row('p', '1', 1))
    const operations = () => [same, row('p', 'a/b', 2), row('p', '2', 2)]
    await table.insert(row('p', '2', 1))
    const run = () => table.bulk({ journal }).merge(operations(), { etag: '*' }).summary()
    expect(await run()).toMatchObject({ done: 2, failed: 1, ending: 'complete' })
    expect(await run()).toMatchObject({ done: 2, failed: 1, ending: 'complete', resumed: 1 })
  })

  it('keeps the doubt about an operation when the next run ends before it sends', async () => {
    const counts = new Map<string, number>()
    const { table } = await bulkTable(counting(counts), { exactWrites: true })
    const journal = new MemoryJournal()
    await table.bulk().insertOrReplace(input(2))
    counts.clear()
    await table.bulk({ journal }).insertOrReplace(input(3))
    const lines = journal.text.split('\n')
    const crashed = new MemoryJournal()
    crashed.text = [lines[0], ...lines.filter((line) => line.includes('[[2,'))].join('\n')
    const ending = new AbortController()
    function* cut() {
      yield* input(2)
      ending.abort()
      yield* input(3).slice(2)
    }
    const { signal } = ending
    const second = await table.bulk({ journal: crashed, signal }).insertOrReplace(cut()).summary()
    expect(second).toMatchObject({ ending: 'aborted', read: 3, resumed: 0 })
    const last = second.failures.find(({ index }) => index === 2)
    expect(last).toMatchObject({ status: 'unknown', error: { mayHaveApplied: true } })
    await table.bulk({ journal: crashed }).insertOrReplace(input(3))
    expect(counts.get('r2')).toBe(1)
  })

  it.each(['fail', 'skip'] as const)(
    'reports an operation in doubt that meets a conflict as unknown, with onConflict %s',
    async (onConflict) => {
      const { table } = await bulkTable()
      const journal = new MemoryJournal()
      const bulk = (kept: BulkJournal) =>
        table.bulk({ journal: kept, onConflict, onMissing: 'skip' })
      await bulk(journal).insert(rows('p', 2))
      await table.merge(row('p', '00000', 99), { etag: '*' })
      const summary = await bulk(journal.after(2)).insert(rows('p', 2)).summary()
      expect(summary).toMatchObject({ done: 1, unknown: 1, skipped: 0 })
    },
  )
})

/** How many characters the journal of four exact upserts has. */
async function journalSize(): Promise<number> {
  const { table } = await bulkTable(undefined, { exactWrites: true })
  const journal = new SmallDisk(Number.POSITIVE_INFINITY, false)
  await table.bulk({ journal, concurrency: 3 }).insertOrReplace(input(4))
  return journal.text.length
}
