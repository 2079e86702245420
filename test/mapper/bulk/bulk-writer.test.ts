import { Readable } from 'node:stream'
import { localTableService } from '@rowkey/local'
import {
  Account,
  BulkError,
  type BulkOutcome,
  defineEntity,
  encrypted,
  encryptionKeys,
  key,
  Operation,
  union,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { noRetry, tableService } from '@rowkey/rest'
import { failingTransport } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { longTest } from '../../support/cases-to-play.ts'
import { Customer, customer } from '../customer.ts'
import { bulkAccount, bulkTable, row, rows } from './bulk-account.ts'

/** The outcomes in the order of the input, in short. */
async function outcomesOf<Item>(run: AsyncIterable<BulkOutcome<Item>>): Promise<string[]> {
  const short: string[] = []
  for await (const { index, status, key } of run) {
    short[index] = `${status} ${key ? `${key.partitionKey}/${key.rowKey}` : '-'}`
  }
  return short
}

async function codeOf(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => undefined,
    (error: { code: unknown }) => error.code,
  )
}

describe('a bulk writer', () => {
  it('R-57: groups entities by partition, and cuts transactions at 100 operations', async () => {
    const { table, writes, stored } = await bulkTable()
    const mixed = rows('a', 150).flatMap((one, at) => (at < 120 ? [one, rows('b', 120)[at]!] : one))
    const summary = await table.bulk().insert(mixed)
    expect(summary).toMatchObject({ read: 270, done: 270, failed: 0, ending: 'complete' })
    expect(writes().toSorted((one, other) => one - other)).toEqual([20, 50, 100, 100])
    expect(Object.keys(await stored())).toHaveLength(270)
  })

  longTest('cuts transactions at the exact bytes of an entity group transaction', async () => {
    const { table, writes } = await bulkTable()
    const large = (id: number) =>
      new DynamicEntity('p', String(id), {
        one: 'x'.repeat(32_000),
        two: 'y'.repeat(32_000),
        three: 'ö'.repeat(32_000),
      })
    const entities = Array.from({ length: 40 }, (_, id) => large(id))
    await table.bulk({ concurrency: 1 }).insert(entities)
    const [most = 0] = writes()
    expect(writes().reduce((sum, count) => sum + count)).toBe(40)
    const [fits, tooLarge] = [table.batch(), table.batch()]
    for (const entity of entities.slice(0, most)) fits.insertOrReplace(entity)
    for (const entity of entities.slice(0, most + 1)) tooLarge.insertOrReplace(entity)
    await fits.submit()
    expect(await codeOf(tooLarge.submit())).toBe('InvalidBatch')
  })

  it.each<
    [string, (input: DynamicEntity[]) => Iterable<DynamicEntity> | AsyncIterable<DynamicEntity>]
  >([
    ['an array', (input) => input],
    ['a Set', (input) => new Set(input)],
    ['a generator', (input) => input.values()],
    ['an async generator', (input) => slowly(input)],
    ['a stream of Node', (input) => Readable.from(input)],
    ['a stream of the web', (input) => ReadableStream.from(input)],
  ])('reads %s', async (_, inputOf) => {
    const { table, stored } = await bulkTable()
    const { done } = await table.bulk().insert(inputOf([row('a', '1', 1), row('b', '2', 2)]))
    expect(done).toBe(2)
    expect(await stored()).toEqual({ 'a/1': 1, 'b/2': 2 })
  })

  it('reads a stream of the web where streams cannot be iterated over', async () => {
    const { table, stored } = await bulkTable()
    const stream = ReadableStream.from([row('a', '1', 1)])
    const { done } = await table.bulk().insert({ getReader: () => stream.getReader() })
    expect(done).toBe(1)
    expect(await stored()).toEqual({ 'a/1': 1 })
  })

  it('sends every kind of write, and updates the ETags of the objects', async () => {
    const { table, stored } = await bulkTable()
    const [ann, ben, cat] = [row('p', 'ann', 1), row('p', 'ben', 2), row('p', 'cat', 3)]
    const bulk = table.bulk()
    await bulk.insert([ann, ben, cat])
    ann.set('n', 10)
    await bulk.merge([ann])
    ben.set('n', 20)
    await bulk.replace([ben])
    await bulk.insertOrMerge([row('p', 'dan', 4)])
    await bulk.insertOrReplace([row('p', 'eve', 5)])
    await bulk.delete([cat])
    expect(await stored()).toEqual({ 'p/ann': 10, 'p/ben': 20, 'p/dan': 4, 'p/eve': 5 })
    expect((await table.get(['p', 'ann'])).etag).toBe(ann.etag)
    await bulk.delete([['p', 'dan'], { partitionKey: 'p', rowKey: 'eve' }], { etag: '*' })
    expect(await stored()).toEqual({ 'p/ann': 10, 'p/ben': 20 })
  })

  it('executes operations of all kinds, in order for each row and never one row twice at once', async () => {
    const { table, writes, stored } = await bulkTable()
    const ann = row('p', 'ann', 1)
    const operations = [
      Operation.insert(ann),
      Operation.insertOrReplace(row('p', 'ben', 1)),
      Operation.insertOrMerge(row('p', 'ben', 2)),
      Operation.delete(['p', 'cat'], { etag: '*' }),
      Operation.insert(row('p', 'cat', 3)),
    ]
    const outcomes = await outcomesOf(table.bulk().execute(operations))
    expect(outcomes).toEqual([
      'done p/ann',
      'done p/ben',
      'done p/ben',
      'failed p/cat',
      'done p/cat',
    ])
    expect(writes().every((count) => count <= 3)).toBe(true)
    expect(await stored()).toEqual({ 'p/ann': 1, 'p/ben': 2, 'p/cat': 3 })
  })

  it('writes an object again only after its first write, with the ETag that it got', async () => {
    const { table, stored } = await bulkTable()
    const ann = row('p', 'ann', 1)
    function* changes() {
      yield Operation.insert(ann)
      ann.set('n', 2)
      yield Operation.merge(ann)
      ann.set('n', 3)
      yield Operation.replace(ann)
    }
    expect(await table.bulk().execute(changes())).toMatchObject({ done: 3 })
    expect(await stored()).toEqual({ 'p/ann': 3 })
  })

  it('sends nothing for an entity that did not change', async () => {
    const { table, writes } = await bulkTable()
    const ann = await table.insert(row('p', 'ann', 1))
    writes().length = 0
    const outcomes: unknown[] = []
    for await (const { status, etag } of table.bulk().merge([ann]) as AsyncIterable<never>) {
      outcomes.push([status, etag])
    }
    expect(outcomes).toEqual([['done', ann.etag]])
    expect(writes()).toEqual([])
  })

  it('fails a bad entity alone, and writes its 99 neighbours in one transaction', async () => {
    const { table, writes, stored } = await bulkTable()
    const entities: DynamicEntity[] = rows('p', 100)
    entities[50] = row('p', 'a/b', 50)
    const run = table.bulk().insert(entities)
    expect((await outcomesOf(run)).filter((line) => !line.startsWith('done'))).toEqual(['failed -'])
    expect(writes()).toEqual([99])
    expect(Object.keys(await stored())).toHaveLength(99)
    const { failures } = await run.summary()
    expect(failures).toMatchObject([{ index: 50, error: { code: 'InvalidEntityKey' } }])
  })

  it('removes a rejected row from its transaction, and sends the others in order', async () => {
    const { table, writes, stored } = await bulkTable()
    await table.insert(row('p', '00007', -1))
    writes().length = 0
    const outcomes = await outcomesOf(table.bulk().insert(rows('p', 20)))
    expect(outcomes.filter((line) => line.startsWith('failed'))).toEqual(['failed p/00007'])
    expect(writes()).toEqual([20, 19])
    expect((await stored())['p/00007']).toBe(-1)
    expect(Object.keys(await stored())).toHaveLength(20)
  })

  it('R-56: awaiting rejects with a BulkError that names what failed', async () => {
    const { table } = await bulkTable()
    await table.insert(row('p', '00001', -1))
    const error = await table
      .bulk()
      .insert(rows('p', 3))
      .then(undefined, (thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BulkError)
    expect(error).toMatchObject({
      code: 'BulkIncomplete',
      message: expect.stringMatching(/table people.*of 3 operations 2 were applied, 1 failed/),
      summary: { done: 2, failures: [{ index: 1, error: { code: 'EntityAlreadyExists' } }] },
    })
  })

  it.each([
    ['fail', ['failed p/00000', 'done p/00001'], { 'p/00000': -1, 'p/00001': 1 }],
    ['skip', ['skipped p/00000', 'done p/00001'], { 'p/00000': -1, 'p/00001': 1 }],
  ] as const)('settles a conflict by %s', async (onConflict, expected, rest) => {
    const { table, stored } = await bulkTable()
    await table.insert(row('p', '00000', -1))
    expect(await outcomesOf(table.bulk({ onConflict }).insert(rows('p', 2)))).toEqual(expected)
    expect(await stored()).toEqual(rest)
  })

  it.each([
    ['fail', 'failed'],
    ['skip', 'skipped'],
  ] as const)(
    'settles a merge, replace or delete of a row that was deleted meanwhile by onMissing %s',
    async (onMissing, status) => {
      for (const onConflict of ['fail', 'skip', 'modify'] as const) {
        const { table, stored } = await bulkTable()
        const read = await Promise.all(rows('p', 4).map((each) => table.insert(each)))
        for (const each of read.slice(0, 3)) {
          each.set('n', -1)
          await table.delete([each.partitionKey, each.rowKey], { etag: '*' })
        }
        read[3]?.set('n', -1)
        const modify = onConflict === 'modify' ? () => {} : undefined
        const [merged, replaced, deleted, last] = read
        const run = table
          .bulk({ onMissing, onConflict, modify })
          .execute([
            Operation.merge(merged!),
            Operation.replace(replaced!),
            Operation.delete(deleted!),
            Operation.merge(last!),
          ])
        const outcomes: [string, unknown][] = []
        for await (const outcome of run) {
          const { code } = Object('error' in outcome ? outcome.error : undefined)
          outcomes[outcome.index] = [outcome.status, code]
        }
        const missing = [status, 'ResourceNotFound']
        expect(outcomes).toEqual([missing, missing, missing, ['done', undefined]])
        expect(await stored()).toEqual({ 'p/00003': -1 })
      }
    },
  )

  it('settles a row that is deleted between a conflict and its modification by onMissing', async () => {
    const remove = () => table.delete(['p', '1'], { etag: '*' })
    let isDeleted = true
    const { table } = await bulkTable((transport) => async (request, limits) => {
      if (request.method === 'GET' && !isDeleted) {
        isDeleted = true
        await remove()
      }
      return transport(request, limits)
    })
    for (const [onMissing, status] of [
      ['skip', 'skipped'],
      ['fail', 'failed'],
    ] as const) {
      const stale = await table.insert(row('p', '1', 1))
      await table.merge(row('p', '1', 2), { etag: '*' })
      stale.set('n', 3)
      isDeleted = false
      const bulk = table.bulk({ onConflict: 'modify', modify: () => {}, onMissing })
      expect(await outcomesOf(bulk.merge([stale]))).toEqual([`${status} p/1`])
      expect(isDeleted).toBe(true)
    }
  })

  it('settles a conflict by changing the stored entity', async () => {
    const { table, stored } = await bulkTable()
    await table.insert(row('p', '00001', 100))
    const stale = await table.insert(row('p', '00005', 1))
    await table.merge(Object.assign(row('p', '00005', 50)), { etag: '*' })
    stale.set('n', 2)
    const nOf = (entity: object) => Number((entity as DynamicEntity).get('n')?.value)
    const bulk = table.bulk({
      onConflict: 'modify',
      modify: (there, given) => void there.set('n', nOf(there) + nOf(given)),
    })
    expect(await bulk.insert(rows('p', 3))).toMatchObject({ done: 3 })
    expect(await bulk.merge([stale])).toMatchObject({ done: 1 })
    expect(await stored()).toEqual({ 'p/00000': 0, 'p/00001': 101, 'p/00002': 2, 'p/00005': 52 })
  })

  it('fails a delete that meets a conflict, even with modify', async () => {
    const { table } = await bulkTable()
    const stale = await table.insert(row('p', '1', 1))
    await table.merge(row('p', '1', 2), { etag: '*' })
    const bulk = table.bulk({ onConflict: 'modify', modify: () => {} })
    expect(await outcomesOf(bulk.delete([stale]))).toEqual(['failed p/1'])
  })

  it('reports a modify that throws as failed', async () => {
    const { table } = await bulkTable()
    await table.insert(row('p', '00000', 1))
    const modify = () => {
      throw new TypeError('mine')
    }
    const summary = await table
      .bulk({ onConflict: 'modify', modify })
      .insert(rows('p', 1))
      .summary()
    expect(summary.failures).toMatchObject([{ status: 'failed', error: { message: 'mine' } }])
  })

  it('writes entities of several types, with their schemas and encryption', async () => {
    const { account } = bulkAccount()
    const keys = encryptionKeys({ current: 'k', keys: { k: new Uint8Array(32).fill(1) } })
    const Order = defineEntity({
      name: 'store',
      partitionKey: key`${'id'}`,
      rowKey: key`order`,
      schema: z.object({ id: z.string().trim(), note: z.string().optional() }),
      columns: { note: encrypted(keys) },
    })
    const Label = defineEntity({
      name: 'store',
      partitionKey: key`${'id'}`,
      rowKey: key`label`,
      schema: z.object({ id: z.string(), text: z.string() }),
    })
    const store = account.table('store', union(Order, Label))
    await store.create()
    const input = [
      { id: ' o1 ', note: 'private' },
      { id: 'o1', text: 'old' },
    ]
    expect(await store.bulk().insert(input)).toMatchObject({ done: 2 })
    const stored = await account.table('store').get(['o1', 'order'])
    expect(JSON.stringify(stored.get('note'))).not.toContain('private')
    expect(await store.ofType(Order).get({ id: 'o1' })).toEqual({ id: 'o1', note: 'private' })
    const label = await store.ofType(Label).get({ id: 'o1' })
    label.text = 'new'
    const run = store.bulk().execute([Operation.merge(Label, label), Operation.merge(label)])
    expect(await run).toMatchObject({ done: 2 })
    expect(await store.ofType(Label).get({ id: 'o1' })).toEqual({ id: 'o1', text: 'new' })
  })

  it('writes objects of a class, which carry their new ETag', async () => {
    const { account } = bulkAccount()
    const customers = account.table(Customer)
    await customers.create()
    const jeff = customer('Smith', 'Jeff', { points: 3n })
    await customers.bulk().insert([jeff])
    expect(jeff.etag).toBe((await customers.get(['Smith', 'Jeff'])).etag)
    jeff.points = 4n
    await customers.bulk().merge([jeff])
    expect(await customers.get(['Smith', 'Jeff'])).toMatchObject({ points: 4n })
  })
})

describe('the flow of a bulk writer', () => {
  it('R-58: never has two transactions of one partition in flight', async () => {
    const busy = new Set<string>()
    let overlaps = 0
    const { table } = await bulkTable((transport) => async (request, limits) => {
      const partition = /PartitionKey='(\w)'|"PartitionKey":"(\w)"/.exec(request.body ?? '')?.[0]
      if (partition === undefined) return transport(request, limits)
      if (busy.has(partition)) overlaps++
      busy.add(partition)
      await new Promise(setImmediate)
      const response = await transport(request, limits)
      busy.delete(partition)
      return response
    })
    const mixed = rows('a', 250).flatMap((one, at) => [
      one,
      row('b', one.rowKey, at),
      row('c', one.rowKey, at),
    ])
    expect(await table.bulk().insert(mixed)).toMatchObject({ done: 750 })
    expect(overlaps).toBe(0)
  })

  it('reads no more input than its buffer holds', async () => {
    let arrived = 0
    let read = 0
    let ahead = 0
    const { table } = await bulkTable((transport) => async (request, limits) => {
      const response = await transport(request, limits)
      arrived += request.body?.match(/^POST /gm)?.length ?? 0
      return response
    })
    function* input() {
      for (const entity of rows('p', 500)) {
        read++
        ahead = Math.max(ahead, read - arrived)
        yield entity
      }
    }
    await table.bulk({ buffer: 150 }).insert(input())
    expect(read).toBe(500)
    expect(ahead).toBeLessThanOrEqual(151)
  })

  it('waits for a loop that reads outcomes slowly', async () => {
    const { table } = await bulkTable()
    let read = 0
    function* input() {
      for (const entity of rows('p', 1_000)) {
        read++
        yield entity
      }
    }
    const outcomes = table.bulk({ buffer: 10 }).insert(input())[Symbol.asyncIterator]()
    for (let taken = 0; taken < 5; taken++) await outcomes.next()
    await new Promise(setImmediate)
    expect(read).toBeLessThan(60)
    await outcomes.return(undefined)
  })

  it('does not let an input wait for outcomes that wait for more input', async () => {
    const { table } = await bulkTable()
    const settled: number[] = []
    async function* input() {
      for (const [at, entity] of rows('p', 3).entries()) {
        while (settled.length < at) await new Promise(setImmediate)
        yield entity
      }
    }
    for await (const { index } of table.bulk().insert(input())) settled.push(index)
    expect(settled).toEqual([0, 1, 2])
  })

  it('adds one transaction at once after successes, and halves when the service throttles', async () => {
    const { table, mostAtOnce, local, writes } = await bulkTable(undefined, { retry: noRetry })
    const spread = Array.from({ length: 400 }, (_, at) => row(`p${at}`, '1', at))
    await table.bulk({ concurrency: 6 }).insert(spread)
    expect(mostAtOnce()).toBe(6)
    local.faults.add({ fault: { kind: 'rejection', code: 'ServerBusy' }, times: 30 })
    writes().length = 0
    const summary = await table.bulk({ concurrency: 6, attempts: 40 }).insertOrReplace(spread)
    expect(summary).toMatchObject({ done: 400 })
    expect(writes()).toHaveLength(430)
  })

  it('sends a throttled transaction again, with growing waits, as often as attempts says', async () => {
    const { table, local, waits, stored } = await bulkTable(undefined, { retry: noRetry })
    local.faults.add({ fault: { kind: 'rejection', code: 'TooManyRequests' }, times: 7 })
    expect(await table.bulk({ attempts: 8 }).insert(rows('p', 3))).toMatchObject({ done: 3 })
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(Object.keys(await stored())).toHaveLength(3)
    local.faults.add({ fault: { kind: 'rejection', code: 'ServerBusy' } })
    const summary = await table.bulk({ attempts: 2 }).insert(rows('q', 3)).summary()
    expect(summary).toMatchObject({
      failed: 3,
      failures: [{ error: { code: 'ServerBusy' } }, {}, {}],
    })
  })

  it('reports progress after each transaction: counts, rate and time left', async () => {
    const { table, pass } = await bulkTable()
    const progress: unknown[] = []
    await table
      .bulk({
        concurrency: 1,
        onProgress: (now) => {
          progress.push(now)
          pass(1_000)
        },
      })
      .insert(rows('p', 250))
    expect(progress).toMatchObject([
      { done: 100, rate: 0, remaining: undefined },
      { done: 200, rate: 200, remaining: 250 },
      { done: 250, rate: 125, remaining: 0 },
    ])
  })

  it('ends with the error of a progress listener', async () => {
    const { table } = await bulkTable()
    const onProgress = () => {
      throw new TypeError('mine')
    }
    const summary = await table
      .bulk({ concurrency: 1, onProgress })
      .insert(rows('p', 250))
      .summary()
    expect(summary).toMatchObject({ ending: 'failed', cause: { message: 'mine' }, done: 100 })
  })

  it('waits for an asynchronous progress listener, and ends with its error', async () => {
    const { table } = await bulkTable()
    const seen: number[] = []
    const onProgress = async ({ done }: { done: number }) => {
      await new Promise(setImmediate)
      seen.push(done)
      if (done === 200) throw new TypeError('mine')
    }
    const summary = await table
      .bulk({ concurrency: 1, onProgress })
      .insert(rows('p', 250))
      .summary()
    expect(seen.slice(0, 2)).toEqual([100, 200])
    expect(summary).toMatchObject({ ending: 'failed', cause: { message: 'mine' }, done: 200 })
  })
})

describe('the truth of a bulk writer', () => {
  it('reports a write whose response was lost as unknown, and the others as done', async () => {
    let lost = 0
    const { table, stored } = await bulkTable(
      (transport) =>
        failingTransport(transport, (request) => {
          if (!request.body?.includes('"lost"') || ++lost > 1) return undefined
          return 'lost response'
        }),
      { retry: noRetry },
    )
    const input = [row('a', '1', 1), row('b', 'lost', 2), row('c', '3', 3)]
    const run = table.bulk().merge(input, { etag: '*' })
    expect((await run.summary()).failures.map(({ status }) => status)).toContain('failed')
    const upserts = await outcomesOf(table.bulk().insertOrReplace(input))
    expect(upserts).toEqual(['done a/1', 'done b/lost', 'done c/3'])
    expect(await stored()).toEqual({ 'a/1': 1, 'b/lost': 2, 'c/3': 3 })
  })

  it('reports each operation of a transaction in doubt as unknown, with an error that can resolve it', async () => {
    const { table, local, stored } = await bulkTable(undefined, { retry: noRetry })
    local.faults.add({ fault: { kind: 'lost response' }, times: 1 })
    const run = table.bulk().insert(rows('p', 3))
    expect(await outcomesOf(run)).toEqual(['unknown p/00000', 'unknown p/00001', 'unknown p/00002'])
    const [first] = (await run.summary()).failures
    expect(await (first!.error as { resolve(): Promise<string> }).resolve()).toBe('applied')
    expect(Object.keys(await stored())).toHaveLength(3)
  })

  it('reports operations as failed when nothing was sent', async () => {
    const { table } = await bulkTable(
      (transport) =>
        failingTransport(transport, ({ body }) =>
          body?.includes('$batch') || body?.includes('multipart') ? 'no connection' : undefined,
        ),
      { retry: noRetry },
    )
    const summary = await table.bulk().insert(rows('p', 3)).summary()
    expect(summary).toMatchObject({ failed: 3, unknown: 0, ending: 'complete' })
  })

  it('ends early when the table is missing, since every operation would fail', async () => {
    const { account } = bulkAccount()
    const summary = await account
      .table('missing')
      .bulk({ buffer: 200 })
      .insert(rows('p', 5_000))
      .summary()
    expect(summary).toMatchObject({ ending: 'failed', cause: { code: 'TableNotFound' }, done: 0 })
    expect(summary.read).toBeLessThan(500)
    expect(summary.failed).toBe(summary.read)
  })

  it.each(['insert', 'insertOrMerge', 'insertOrReplace'] as const)(
    'ends early on Cosmos DB when the table of an %s is missing, and skips nothing',
    async (kind) => {
      const { transport, connectionString } = localTableService({ flavour: 'cosmos' })
      const account = new Account(
        tableService({
          connectionString: connectionString(),
          transport,
          flavour: 'cosmos',
          retry: noRetry,
        }),
      )
      const bulk = account.table('missing').bulk({ onMissing: 'skip', buffer: 200 })
      const summary = await bulk[kind](rows('p', 5_000)).summary()
      expect(summary).toMatchObject({ ending: 'failed', done: 0, skipped: 0 })
      expect(summary.cause).toMatchObject({ name: 'TableNotFoundError' })
      expect(summary.failed).toBe(summary.read)
    },
  )

  it('writes what was read before its input fails, and reports the failure', async () => {
    const { table, stored } = await bulkTable()
    function* input() {
      yield row('p', '1', 1)
      throw new TypeError('torn file')
    }
    const run = table.bulk().insert(input())
    await expect(Promise.resolve(run)).rejects.toMatchObject({
      code: 'BulkIncomplete',
      cause: { message: 'torn file' },
      summary: { done: 1, ending: 'failed' },
    })
    expect(await stored()).toEqual({ 'p/1': 1 })
  })

  it('settles everything truthfully when the signal aborts', async () => {
    const controller = new AbortController()
    let requests = 0
    const { table, stored } = await bulkTable((transport) => async (request, limits) => {
      const response = await transport(request, limits)
      if (request.method === 'POST' && request.body?.includes('batch_') && ++requests === 2) {
        controller.abort(new TypeError('enough'))
        limits?.signal?.throwIfAborted()
      }
      return response
    })
    const run = table.bulk({ concurrency: 1, signal: controller.signal }).insert(rows('p', 1_000))
    const counts: Record<string, number> = {}
    const loop = (async () => {
      for await (const { status } of run) counts[status] = (counts[status] ?? 0) + 1
    })()
    await expect(loop).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: true })
    const summary = await run.summary()
    expect(summary).toMatchObject({ ending: 'aborted', cause: { message: 'enough' } })
    expect(counts).toMatchObject({ done: 100, unknown: 100 })
    expect(Object.keys(await stored())).toHaveLength(200)
  })

  it('sends nothing when its signal has aborted', async () => {
    const { table, writes } = await bulkTable()
    const run = table.bulk({ signal: AbortSignal.abort() }).insert(rows('p', 10))
    await expect(Promise.resolve(run)).rejects.toMatchObject({
      name: 'AbortError',
      mayHaveApplied: false,
    })
    expect(writes()).toEqual([])
  })

  it('reports why operations were not sent, when no signal aborted', async () => {
    const { table } = await bulkTable()
    const run = table.bulk({ concurrency: 1 }).insert(rows('p', 1_000))
    for await (const _ of run) break
    const { failures } = await run.summary()
    expect(failures[0]?.error).toMatchObject({
      name: 'AbortError',
      message: 'The bulk write ended before it sent this operation. Nothing was changed.',
    })
  })

  it.each([5, undefined])('ends when next() of the input returns %s', async (result) => {
    const { table } = await bulkTable()
    const next = async () => result as never
    const summary = await table
      .bulk()
      .insert({ [Symbol.asyncIterator]: () => ({ next }) })
      .summary()
    expect(summary).toMatchObject({ read: 0, ending: 'failed' })
    expect(summary.cause).toMatchObject({
      message: expect.stringContaining('must return { done, value }'),
    })
  })

  it('ends an input that never gives its next item, when the signal aborts', async () => {
    const { table } = await bulkTable()
    const controller = new AbortController()
    async function* input() {
      yield row('p', '1', 1)
      await new Promise(() => {})
    }
    const run = table.bulk({ signal: controller.signal }).insert(input())
    for await (const { status } of run) {
      expect(status).toBe('done')
      break
    }
    expect(await run.summary()).toMatchObject({ ending: 'left', done: 1 })
  })

  it('ends what is in flight, and sends nothing new, when the loop is left', async () => {
    const { table, stored } = await bulkTable()
    const run = table.bulk({ concurrency: 1 }).insert(rows('p', 1_000))
    for await (const outcome of run) {
      expect(outcome.status).toBe('done')
      break
    }
    const summary = await run.summary()
    expect(summary).toMatchObject({ ending: 'left', unknown: 0 })
    expect(Object.keys(await stored())).toHaveLength(summary.done)
    expect(summary.done).toBeLessThan(1_000)
  })

  it('counts a deadline for the whole write', async () => {
    const { table, pass } = await bulkTable()
    const bulk = table.bulk({ concurrency: 1, deadline: 1_500, onProgress: () => pass(1_000) })
    const summary = await bulk.insert(rows('p', 1_000)).summary()
    expect(summary).toMatchObject({
      ending: 'failed',
      cause: { code: 'DeadlineExceeded' },
      done: 200,
    })
  })

  it('accepts the largest number in each option that shall not limit the write', async () => {
    const { table, stored } = await bulkTable()
    const most = Number.MAX_SAFE_INTEGER
    const unlimited = { attempts: most, buffer: most, concurrency: most }
    await table.bulk({ ...unlimited, total: 3_000_000_000 }).insert(rows('p', 3))
    const log = table.buffered({ ...unlimited, maxAge: most, maxBytes: most, maxOperations: most })
    await log.insert(new DynamicEntity('q', '1'))
    await log.close()
    expect(Object.keys(await stored())).toHaveLength(4)
  })

  it('runs once, and cannot be iterated over after it began', async () => {
    const { table, writes } = await bulkTable()
    const run = table.bulk().insert(rows('p', 3))
    expect(writes()).toEqual([])
    expect(await run).toBe(await run)
    expect(writes()).toEqual([3])
    await expect(run[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'InvalidOptionValue',
    })
  })
})

async function* slowly<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) {
    await new Promise(setImmediate)
    yield item
  }
}
