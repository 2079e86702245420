import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BulkOutcome, type BulkRun, defineEntity, key, Operation } from '@rowkey/mapper'
import { noRetry } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { casesToPlay, longTest } from '../../../support/cases-to-play.ts'
import { bulkAccount, bulkTable, row, rows } from '../bulk-account.ts'
import { MemoryJournal } from './memory-journal.ts'

async function statusesOf<Item>(run: BulkRun<Item>): Promise<string[]> {
  const statuses: string[] = []
  for await (const outcome of run) statuses[outcome.index] = shortOf(outcome)
  return statuses
}

function shortOf(outcome: BulkOutcome): string {
  return 'resumed' in outcome ? `${outcome.status} before` : outcome.status
}

describe('the journal of a bulk write', () => {
  it('lets a second run skip what the first one did', async () => {
    const { table, writes } = await bulkTable()
    const journal = new MemoryJournal()
    expect(await table.bulk({ journal }).insert(rows('p', 250))).toMatchObject({
      done: 250,
      resumed: 0,
    })
    writes().length = 0
    const summary = await table.bulk({ journal }).insert(rows('p', 260))
    expect(summary).toMatchObject({ done: 260, resumed: 250 })
    expect(writes()).toEqual([10])
  })

  it('is stored before a transaction is sent', async () => {
    const journal = new MemoryJournal()
    const lines: number[] = []
    const { table } = await bulkTable((transport) => (request, limits) => {
      if (request.body?.includes('multipart')) lines.push(journal.text.split('"sent"').length - 1)
      return transport(request, limits)
    })
    await table.bulk({ journal, concurrency: 1 }).insert(rows('p', 250))
    expect(lines).toEqual([1, 2, 3])
  })

  it.each(['none', 'some', 'all'] as const)(
    'R-24: a crash after any line of it loses nothing and writes nothing twice, with %s of the writes applied',
    async (applied) => {
      const whole = new MemoryJournal()
      const first = await bulkTable()
      await first.table.bulk({ journal: whole, concurrency: 1 }).insert(rows('p', 250))
      const lines = whole.text.split('\n').length - 1
      for (const kept of casesToPlay(Array.from({ length: lines }, (_, line) => line + 1))) {
        const { table, stored } = await bulkTable()
        const journal = whole.after(kept)
        const sent = journal.text.split('"sent"').length - 1
        const ended = journal.text.split('"ended"').length - 1
        // What was recorded as ended is stored; what was only sent may be.
        const stays =
          applied === 'all' ? sent : applied === 'some' && sent > ended ? ended + 0.5 : ended
        await table.bulk().insert(rows('p', 250).slice(0, stays * 100))
        const summary = await table.bulk({ journal }).insert(rows('p', 250))
        expect(summary).toMatchObject({ done: 250, failed: 0, unknown: 0 })
        expect(Object.keys(await stored())).toHaveLength(250)
      }
    },
  )

  it('continues after a line that a crash has torn', async () => {
    const { table } = await bulkTable()
    const journal = new MemoryJournal()
    await table.bulk({ journal }).insert(rows('p', 3))
    journal.text = journal.text.slice(0, -5)
    expect(await table.bulk({ journal }).insert(rows('p', 3))).toMatchObject({
      done: 3,
      resumed: 0,
    })
    expect(await table.bulk({ journal }).insert(rows('p', 3))).toMatchObject({
      done: 3,
      resumed: 3,
    })
  })

  it('reports an insert in doubt as unknown when another content is stored', async () => {
    const { table } = await bulkTable()
    const journal = new MemoryJournal()
    await table.bulk({ journal, concurrency: 1 }).insert(rows('p', 2))
    await table.merge(row('p', '00000', 99), { etag: '*' })
    const inDoubt = journal.after(2)
    const run = table.bulk({ journal: inDoubt }).insert(rows('p', 2))
    expect(await statusesOf(run)).toEqual(['unknown', 'done'])
    const [failure] = (await run.summary()).failures
    expect(failure?.error).toMatchObject({
      code: 'AmbiguousWrite',
      message: /earlier run sent insert/,
    })
    // It stays in doubt, and so unknown.
    expect(await statusesOf(table.bulk({ journal: inDoubt }).insert(rows('p', 2)))).toEqual([
      'unknown',
      'done before',
    ])
  })

  it('never modifies after a conflict that an earlier run may have settled', async () => {
    const { table, stored } = await bulkTable()
    const journal = new MemoryJournal()
    await table.insert(row('p', '00000', 1))
    const bulk = (kept: MemoryJournal) =>
      table.bulk({
        journal: kept,
        onConflict: 'modify',
        modify: (there) => void there.set('n', Number(there.get('n')?.value) + 10),
      })
    await bulk(journal).insert(rows('p', 1))
    expect(await statusesOf(bulk(journal.after(2)).insert(rows('p', 1)))).toEqual(['unknown'])
    expect(await stored()).toEqual({ 'p/00000': 11 })
  })

  it('decides deletes and upserts in doubt by sending them again', async () => {
    const { table, stored } = await bulkTable()
    const journal = new MemoryJournal()
    await table.insert(row('p', 'gone', 1))
    const operations = () => [
      Operation.insertOrReplace(row('p', 'there', 1)),
      Operation.delete(['p', 'gone'], { etag: '*' }),
    ]
    await table.bulk({ journal }).execute(operations())
    const run = table.bulk({ journal: journal.after(2) }).execute(operations())
    expect(await statusesOf(run)).toEqual(['done', 'done'])
    expect(await stored()).toEqual({ 'p/there': 1 })
  })

  it('sends again what failed, also with a corrected item', async () => {
    const { table } = await bulkTable()
    const journal = new MemoryJournal()
    await table.insert(row('p', 'taken', 1))
    const first = table.bulk({ journal }).insert([row('p', 'a', 1), row('p', 'taken', 2)])
    expect(await statusesOf(first)).toEqual(['done', 'failed'])
    const second = table.bulk({ journal }).insert([row('p', 'a', 1), row('p', 'free', 2)])
    expect(await statusesOf(second)).toEqual(['done before', 'done'])
  })

  it.each([false, true])(
    'does not send what failed after a later operation on its row, with exact writes: %s',
    async (exactWrites) => {
      const { table, stored } = await bulkTable(undefined, { exactWrites })
      const journal = new MemoryJournal()
      await table.insert(row('p', 'a', 1))
      const operations = () => [
        Operation.insert(row('p', 'a', 2)),
        Operation.delete(['p', 'a'], { etag: '*' }),
        Operation.merge(row('p', 'a', 3), { etag: '*' }),
      ]
      const first = table.bulk({ journal }).execute(operations())
      expect(await statusesOf(first)).toEqual(['failed', 'done', 'failed'])
      // A crash may end the first run before it records the end of the delete, or of the merge.
      for (const lines of [4, 5, 6, 7]) {
        const next = table.bulk({ journal: journal.after(lines) }).execute(operations())
        expect((await statusesOf(next))[0]).toBe('failed')
        const [failure] = (await next.summary()).failures
        expect(failure).toMatchObject({ index: 0, error: { code: 'Aborted' } })
        expect(await stored()).toEqual({})
      }
    },
  )

  it('sends again what failed before a later operation on its row that failed, too', async () => {
    const { table, stored } = await bulkTable()
    const journal = new MemoryJournal()
    const merges = () => [1, 2].map((n) => Operation.merge(row('p', 'a', n), { etag: '*' }))
    expect(await statusesOf(table.bulk({ journal }).execute(merges()))).toEqual([
      'failed',
      'failed',
    ])
    await table.insert(row('p', 'a', 0))
    expect(await statusesOf(table.bulk({ journal }).execute(merges()))).toEqual(['done', 'done'])
    expect(await stored()).toEqual({ 'p/a': 2 })
  })

  it.each([false, true])(
    'keeps an operation in doubt that the model rejects now, with exact writes: %s',
    async (exactWrites) => {
      const declared = { name: 'notes', partitionKey: key`${'day'}`, rowKey: key`${'id'}` }
      const notes = (text: z.ZodString) =>
        defineEntity({ ...declared, schema: z.object({ day: z.string(), id: z.string(), text }) })
      let isLost = false
      const { account } = bulkAccount(
        (transport) => async (request, limits) => {
          const response = await transport(request, limits)
          if (isLost) throw new Error('The response is lost.')
          return response
        },
        { retry: noRetry, exactWrites },
      )
      const table = account.table(notes(z.string()))
      await table.create()
      const journal = new MemoryJournal()
      const input = [{ day: 'd', id: '1', text: 'milk' }]
      isLost = true
      await table.bulk({ journal, attempts: 1 }).insert(input).summary()
      isLost = false
      const stricter = account.table(notes(z.string().min(5)))
      const { unknown, failures } = await stricter.bulk({ journal }).insert(input).summary()
      expect(unknown).toBe(1)
      const cause = expect.objectContaining({ code: 'SchemaMismatch' })
      expect(failures).toMatchObject([{ error: { code: 'AmbiguousWrite', cause } }])
      expect(await table.bulk({ journal }).insert(input)).toMatchObject({ done: 1 })
    },
  )

  it.each(['lost request', 'lost response', 'throttled request'])(
    'keeps the order of operations on one row when the first is repeated after a %s',
    async (kind) => {
      let writes = 0
      const { table, stored } = await bulkTable(
        (transport) => async (request, limits) => {
          const isLost = request.method !== 'GET' && ++writes === 3
          if (isLost && kind === 'lost request') throw new Error('The request is lost.')
          if (isLost && kind === 'throttled request') return { status: 429, headers: {}, body: '' }
          const response = await transport(request, limits)
          if (isLost) throw new Error('The response is lost.')
          return response
        },
        { retry: noRetry },
      )
      await table.insert(row('p', '1', 1))
      const journal = new MemoryJournal()
      const input = [
        Operation.delete(['p', '1'], { etag: '*' }),
        Operation.insert(row('p', '1', 2)),
        Operation.insertOrReplace(row('p', '2', 2)),
      ]
      const first: string[] = []
      for await (const { index, status } of table.bulk({ journal }).execute(input)) {
        first[index] = status
      }
      const isKnown = kind === 'throttled request'
      expect(first).toEqual([isKnown ? 'failed' : 'unknown', 'failed', 'done'])
      expect(await table.bulk({ journal }).execute(input)).toMatchObject({ done: 3, resumed: 1 })
      expect(await stored()).toEqual({ 'p/1': 2, 'p/2': 2 })
    },
  )

  it('holds a later operation back when one on its row was throttled to the end', async () => {
    let writes = 0
    const { table, stored } = await bulkTable(
      (transport) => async (request, limits) =>
        request.method !== 'GET' && ++writes === 3
          ? { status: 429, headers: {}, body: '' }
          : transport(request, limits),
      { retry: noRetry },
    )
    await table.insert(row('p', '1', 1))
    const journal = new MemoryJournal()
    const input = [
      Operation.delete(['p', '1'], { etag: '*' }),
      Operation.insertOrReplace(row('p', '1', 2)),
    ]
    const run = () => table.bulk({ journal, attempts: 1 }).execute(input)
    expect(await statusesOf(run())).toEqual(['failed', 'failed'])
    expect(await stored()).toEqual({ 'p/1': 1 })
    expect(await statusesOf(run())).toEqual(['done', 'done'])
    expect(await stored()).toEqual({ 'p/1': 2 })
  })

  it('does not take what failed for skipped when a later operation on its row is', async () => {
    let isInserted = false
    const { table } = await bulkTable((transport) => async (request, limits) => {
      const response = await transport(request, limits)
      if (!isInserted && response.body.includes('ResourceNotFound')) {
        isInserted = true
        await table.insert(row('p', '1', 1))
      }
      return response
    })
    const journal = new MemoryJournal()
    const input = [
      Operation.merge(row('p', '1', 2), { etag: '*' }),
      Operation.insert(row('p', '1', 3)),
    ]
    const run = () => table.bulk({ journal, onConflict: 'skip' }).execute(input)
    expect(await statusesOf(run())).toEqual(['failed', 'skipped'])
    expect(await statusesOf(run())).toEqual(['failed', 'skipped before'])
  })

  it('keeps skipped operations skipped', async () => {
    const { table } = await bulkTable()
    const journal = new MemoryJournal()
    await table.insert(row('p', '00000', 1))
    const bulk = table.bulk({ journal, onConflict: 'skip' })
    expect(await statusesOf(bulk.insert(rows('p', 2)))).toEqual(['skipped', 'done'])
    expect(await statusesOf(bulk.insert(rows('p', 2)))).toEqual(['skipped before', 'done before'])
  })

  it('rejects another input before anything of it is sent', async () => {
    const { table, writes } = await bulkTable()
    const journal = new MemoryJournal()
    await table.bulk({ journal }).insert(rows('p', 3))
    writes().length = 0
    const others = rows('p', 3).map((one, at) => (at === 1 ? row('p', one.rowKey, 99) : one))
    const summary = await table.bulk({ journal }).insert(others).summary()
    expect(summary).toMatchObject({ ending: 'failed', cause: { code: 'JournalMismatch' } })
    expect(writes()).toEqual([])
    const asUpserts = await table.bulk({ journal }).insertOrReplace(rows('p', 3)).summary()
    expect(asUpserts).toMatchObject({ cause: { code: 'JournalMismatch' } })
  })

  it('rejects the journal of another table, and a text that is not a journal', async () => {
    const { account, table, writes } = await bulkTable()
    const journal = new MemoryJournal()
    await account.table('others').create()
    await account.table('others').bulk({ journal }).insert(rows('p', 1))
    writes().length = 0
    const summary = await table.bulk({ journal }).insert(rows('p', 1)).summary()
    expect(summary.cause).toMatchObject({ code: 'JournalMismatch', message: /table others/ })
    journal.text = 'name,age\n'
    const notes = await table.bulk({ journal }).insert(rows('p', 1)).summary()
    expect(notes.cause).toMatchObject({ code: 'JournalMismatch', message: /not empty/ })
    expect(journal.text).toBe('name,age\n')
    expect(writes()).toEqual([])
  })

  it('stores the lines of several transactions together', async () => {
    const { table } = await bulkTable()
    const journal = new MemoryJournal()
    const spread = Array.from({ length: 200 }, (_, at) => row(`p${at}`, '1', at))
    await table.bulk({ journal }).insert(spread)
    expect(journal.text.split('"sent"')).toHaveLength(201)
    expect(journal.appends).toBeLessThan(150)
    expect(await table.bulk({ journal }).insert(spread)).toMatchObject({ resumed: 200 })
  })

  it('ends the write with the error of its store: nothing is sent that it does not hold', async () => {
    const { table, stored } = await bulkTable()
    const journal = new MemoryJournal()
    const append = journal.append.bind(journal)
    journal.append = async (text) => {
      if (journal.appends >= 2) throw new TypeError('disk full')
      return append(text)
    }
    const summary = await table.bulk({ journal, concurrency: 1 }).insert(rows('p', 500)).summary()
    expect(summary).toMatchObject({ ending: 'failed', cause: { message: 'disk full' } })
    expect(Object.keys(await stored())).toHaveLength(summary.done)
    expect(summary.done + summary.failed).toBe(summary.read)
  })

  longTest('can be a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowkey-bulk-'))
    const path = join(folder, 'import.journal')
    const { table, local } = await bulkTable(undefined, { retry: noRetry })
    try {
      await using first = await open(path, 'a+')
      local.faults.add({ fault: { kind: 'lost response' }, nth: 2 })
      const lost = await table
        .bulk({ journal: first, concurrency: 1 })
        .insert(rows('p', 250))
        .summary()
      expect(lost).toMatchObject({ done: 150, unknown: 100 })
      await using second = await open(path, 'a+')
      const resumed = await table.bulk({ journal: second }).insert(rows('p', 250))
      expect(resumed).toMatchObject({ done: 250, resumed: 150 })
      expect(await readFile(path, 'utf8')).toMatch(/^\{"journal":"rowkey bulk 1"/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
