import { Readable } from 'node:stream'
import {
  BulkError,
  defineEntity,
  encrypted,
  encryptionKeys,
  key,
  Operation,
  union,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { longTest } from '../../support/cases-to-play.ts'
import { Customer, customer } from '../customer.ts'
import { bulkAccount, bulkTable, row, rows } from './bulk-account.ts'
import { codeOf, outcomesOf } from './short-outcomes.ts'

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

describe('the truth of a bulk writer', () => {
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
