import { BulkError, type BulkSummary, defineEntity, key, Operation, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { noRetry } from '@rowkey/rest'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bulkAccount, bulkTable, row, rows } from './bulk-account.ts'
import { MemoryJournal } from './journal/memory-journal.ts'

/** The first flush loads code. */
beforeAll(async () => {
  const { table } = await bulkTable()
  const log = table.buffered()
  for (const each of rows('day', 2)) await log.insert(each)
  await log.close()
})

/** Lets everything run that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

/** A sleep that ends when the test says so. */
function manualSleep() {
  const waits: { readonly delay: number; readonly wake: () => void }[] = []
  return {
    waits,
    sleep: (delay: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        waits.push({ delay, wake: resolve })
        signal?.addEventListener('abort', () => resolve())
      }),
  }
}

describe('a buffered writer', () => {
  it('rejects an unknown option, and lists its own options', async () => {
    const { table } = await bulkTable()
    const open = (options: object) => () => table.buffered(options)
    expect(open({ maxage: 5 })).toThrow(/no option 'maxage'.*maxAge/)
    expect(open({ idempotencyKey: 'once' })).toThrow("no option 'idempotencyKey'")
    expect(open({ total: 5 })).toThrow("no option 'total'")
  })

  it('rejects a journal, which a second flush would take for its own', async () => {
    const { table } = await bulkTable()
    const open = () => table.buffered({ journal: new MemoryJournal() } as object)
    expect(open).toThrow(/no option 'journal'(?!.*journal)/)
  })

  it('R-159, R-165: writes when enough operations have come together', async () => {
    const { sleep } = manualSleep()
    const { table, writes, stored } = await bulkTable(undefined, { sleep })
    const log = table.buffered({ maxOperations: 3 })
    const [first, second, third, fourth] = rows('day', 4)
    await log.insert(first!)
    await log.insert(second!)
    expect([log.size, writes()]).toEqual([2, []])
    await log.insert(third!)
    await log.insert(fourth!)
    await settle()
    expect(writes()).toEqual([3])
    expect(log.size).toBe(1)
    await log.close()
    expect(Object.keys(await stored())).toHaveLength(4)
  })

  it('R-159: writes when enough bytes have come together, counted exactly', async () => {
    const { sleep } = manualSleep()
    const { table, writes } = await bulkTable(undefined, { sleep })
    const batch = table.batch().insert(row('day', '1', 1))
    const bytes = batch.bytes - table.batch().bytes
    const log = table.buffered({ maxBytes: 2 * bytes })
    await log.insert(row('day', '1', 1))
    expect(log.bytes).toBe(bytes)
    await log.insert(row('day', '2', 2))
    await settle()
    expect([log.bytes, writes()]).toEqual([0, [2]])
    await log.close()
  })

  it('R-159: writes when the oldest operation has waited long enough', async () => {
    const { sleep, waits } = manualSleep()
    const { table, stored } = await bulkTable(undefined, { sleep })
    const log = table.buffered({ maxAge: 2_000 })
    await log.insert(row('day', '1', 1))
    await log.insert(row('day', '2', 2))
    expect(waits.map(({ delay }) => delay)).toEqual([2_000])
    expect(await stored()).toEqual({})
    waits[0]!.wake()
    await settle()
    expect(await stored()).toEqual({ 'day/1': 1, 'day/2': 2 })
    await log.insert(row('day', '3', 3))
    expect(waits).toHaveLength(2)
    await log.close()
  })

  it('R-159: loses nothing on close, also of operations that were not awaited', async () => {
    const { sleep } = manualSleep()
    const { table, stored } = await bulkTable(undefined, { sleep })
    const log = table.buffered({ maxOperations: 10 })
    const added = rows('day', 95).map((entity) => log.insert(entity))
    await log.close()
    await Promise.all(added)
    expect(Object.keys(await stored())).toHaveLength(95)
  })

  it.each(['flush', 'close'] as const)(
    'R-159: %s writes all operations on one entity that were not awaited',
    async (method) => {
      const { table, stored } = await bulkTable()
      const log = table.buffered()
      const entity = row('day', '1', 1)
      const added = [log.insert(entity)]
      for (const n of [2, 3]) {
        entity.set('n', n)
        added.push(log.merge(entity))
      }
      const other = row('day', '2', 1)
      added.push(log.insert(other), log.delete(other))
      await log[method]()
      await Promise.all(added)
      expect(await stored()).toEqual({ 'day/1': 3 })
    },
  )

  it('R-159: close leaves out an operation that becomes invalid while it waits, and rejects it', async () => {
    const { table, stored } = await bulkTable()
    const log = table.buffered()
    const entity = row('day', '1', 1)
    const inserted = log.insert(entity)
    const merged = log.merge(entity)
    entity.rowKey = 'day/2'
    await Promise.all([log.close(), inserted, expect(merged).rejects.toThrow('key')])
    expect(await stored()).toEqual({ 'day/1': 1 })
  })

  it('R-159: close names every operation that its flush did not write, as the caller gave it', async () => {
    const { table } = await bulkTable(undefined, { sleep: manualSleep().sleep })
    const stop = new AbortController()
    const log = table.buffered({ signal: stop.signal })
    const inserted = row('day', '1', 1)
    const added = Operation.insertOrReplace(row('day', '2', 2))
    await log.insert(inserted)
    await log.add(added)
    await log.delete(['day', '3'], { etag: '*' })
    stop.abort()
    const error: BulkError = await log.close().catch((thrown) => thrown)
    const { read, failed, failures } = error.summary
    expect([read, failed]).toEqual([3, 3])
    expect(failures.map(({ item }) => item)).toEqual([inserted, added, ['day', '3']])
    expect(failures).toMatchObject([1, 2, 3].map(() => ({ error: { mayHaveApplied: false } })))
  })

  it('R-159: rejects operations after close', async () => {
    const { table } = await bulkTable()
    const log = table.buffered()
    await log.close()
    await expect(log.insert(row('day', '1', 1))).rejects.toMatchObject({ code: 'WriterClosed' })
    await expect(log.add(Operation.delete(row('day', '1', 1)))).rejects.toMatchObject({
      code: 'WriterClosed',
    })
    await log.close()
  })

  it('writes every kind of operation, in order for each row', async () => {
    const { table, stored } = await bulkTable()
    const cat = await table.insert(row('p', 'cat', 1))
    const dan = await table.insert(row('p', 'dan', 1))
    const log = table.buffered()
    const ann = row('p', 'ann', 1)
    await log.insert(ann)
    ann.set('n', 2)
    await log.merge(ann)
    cat.set('n', 5)
    await log.replace(cat)
    await log.insertOrMerge(row('p', 'eve', 1))
    await log.insertOrReplace(row('p', 'eve', 2))
    await log.add(Operation.insertOrReplace(row('p', 'eve', 3)))
    await log.delete(dan)
    await log.close()
    expect(await stored()).toEqual({ 'p/ann': 2, 'p/cat': 5, 'p/eve': 3 })
  })

  it('writes an entity as it was when it was added', async () => {
    const { table, stored } = await bulkTable()
    const log = table.buffered()
    const entity = row('p', '1', 1)
    await log.insert(entity)
    entity.set('n', 99)
    await log.close()
    expect(await stored()).toEqual({ 'p/1': 1 })
  })

  it('rejects an invalid entity at once, and does not buffer it', async () => {
    const { table, writes } = await bulkTable()
    const log = table.buffered()
    await expect(log.insert(row('a/b', '1', 1))).rejects.toMatchObject({ code: 'InvalidEntityKey' })
    await expect(log.merge(row('p', '1', 1))).rejects.toMatchObject({ code: 'MissingETag' })
    const large = new DynamicEntity('p', '1', { text: 'ö'.repeat(40_000) })
    await expect(log.insert(large)).rejects.toMatchObject({ code: 'EntityTooLarge' })
    expect([log.size, log.bytes, writes()]).toEqual([0, 0, []])
    await log.close()
  })

  it('R-159: reports what failed to onFlush, and once to the next flush or close', async () => {
    const { table, local } = await bulkTable(undefined, { retry: noRetry })
    await table.insert(row('p', '1', 1))
    const summaries: BulkSummary[] = []
    const log = table.buffered({ maxOperations: 2, onFlush: (summary) => summaries.push(summary) })
    await log.insert(row('p', '1', 2))
    await log.insert(row('p', '2', 2))
    await settle()
    local.faults.add({ fault: { kind: 'lost response' }, times: 1 })
    await log.insertOrReplace(row('p', '3', 3))
    const error = await log.flush().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BulkError)
    expect(error).toMatchObject({
      summary: {
        read: 3,
        done: 1,
        failed: 1,
        unknown: 1,
        failures: [{ status: 'failed' }, { status: 'unknown' }],
      },
    })
    expect(summaries.map(({ failed, unknown }) => [failed, unknown])).toEqual([
      [1, 0],
      [0, 1],
    ])
    await log.close()
  })

  it('counts every operation of a flush that ended early as failed', async () => {
    const { account } = bulkAccount(undefined, { retry: noRetry })
    const log = account.table('missing').buffered({ concurrency: 1 })
    for (const entity of rows('p', 250)) await log.insert(entity)
    await expect(log.close()).rejects.toMatchObject({
      cause: { code: 'TableNotFound' },
      summary: { read: 250, failed: 250 },
    })
  })

  it.each([
    [
      'throws',
      () => {
        throw new TypeError('mine')
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('mine'))],
  ])('keeps writing when onFlush %s, and reports the error', async (_, onFlush) => {
    const { table, stored } = await bulkTable()
    const log = table.buffered({ maxOperations: 1, onFlush })
    await log.insert(row('p', '1', 1))
    await log.insert(row('p', '2', 2))
    await expect(log.close()).rejects.toMatchObject({ cause: { message: 'mine' } })
    expect(await stored()).toEqual({ 'p/1': 1, 'p/2': 2 })
  })

  it('makes adding wait while too many operations are buffered', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { table, stored } = await bulkTable((transport) => async (request, limits) => {
      if (request.body?.includes('"PartitionKey":"p"')) await held
      return transport(request, limits)
    })
    const log = table.buffered({ maxOperations: 5 })
    let added = 0
    const adding = (async () => {
      for (const entity of rows('p', 50)) {
        await log.insert(entity)
        added++
      }
    })()
    await settle()
    expect(added).toBe(9)
    release()
    await adding
    await log.close()
    expect(Object.keys(await stored())).toHaveLength(50)
  })

  it('closes with await using', async () => {
    const { table, stored } = await bulkTable()
    {
      await using log = table.buffered()
      await log.insert(row('p', '1', 1))
    }
    expect(await stored()).toEqual({ 'p/1': 1 })
  })

  it('leaves no timer behind', async () => {
    const { sleep, waits } = manualSleep()
    let open = 0
    const { table } = await bulkTable(undefined, {
      sleep: async (delay, signal) => {
        open++
        await sleep(delay, signal)
        open--
      },
    })
    const log = table.buffered()
    await log.insert(row('p', '1', 1))
    expect(open).toBe(1)
    await log.close()
    await settle()
    expect([open, waits.length]).toEqual([0, 1])
  })

  it('writes entities of several types', async () => {
    const { account } = bulkAccount()
    const parts = { name: 'store', partitionKey: key`${'id'}` }
    const schema = z.object({ id: z.string(), text: z.string() })
    const Note = defineEntity({ ...parts, rowKey: key`note`, schema })
    const Label = defineEntity({ ...parts, rowKey: key`label`, schema })
    const store = account.table('store', union(Note, Label))
    await store.create()
    const log = store.buffered()
    await log.add(Operation.insert(Note, { id: '1', text: 'a' }))
    await log.add(Operation.insert(Label, { id: '1', text: 'b' }))
    await log.close()
    const keys = await account.table('store').query().allowTableScan().toArray()
    expect(keys.map((found: DynamicEntity) => found.rowKey)).toEqual(['label', 'note'])
  })
})
