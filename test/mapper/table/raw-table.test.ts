import {
  type BulkRun,
  defineEntity,
  encrypted,
  encryptionKeys,
  key,
  type Table,
  TableQuery,
} from '@rowkey/mapper'
import { DynamicEntity, EntityProperty, parseDateTime, type RawEntity } from '@rowkey/odata'
import { lt } from '@rowkey/query'
import { linearRetry, noRetry } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bulkAccount, bulkTable, row, rows } from '../bulk/bulk-account.ts'

const Person = defineEntity({
  name: 'people',
  partitionKey: key`${'city'}`,
  rowKey: key`${'id'}`,
  schema: z.object({ city: z.string(), id: z.string(), age: z.int() }),
})

/** Every stored row, in full. */
async function contentOf(table: Table<DynamicEntity>): Promise<unknown[]> {
  const found = await table.query().allowTableScan().toArray()
  return found.map(({ partitionKey, rowKey, properties }) => [partitionKey, rowKey, properties])
}

async function statusesOf<Item>(run: BulkRun<Item>): Promise<string[]> {
  const statuses: string[] = []
  for await (const { key: found, status } of run) statuses.push(`${found?.rowKey} ${status}`)
  return statuses.sort()
}

describe('deleteAll of a query', () => {
  it('deletes the rows that the query finds, in transactions by partition', async () => {
    const { table, writes, stored } = await bulkTable()
    await table.bulk().insert([...rows('a', 150), ...rows('b', 20), row('c', '1', 1)])
    writes().length = 0
    const summary = await table
      .query()
      .where({ partitionKey: lt('c') })
      .allowTableScan()
      .deleteAll()
    expect(summary).toMatchObject({ done: 170, read: 170, ending: 'complete' })
    expect(await stored()).toEqual({ 'c/1': 1 })
    expect(writes().toSorted((one, other) => other - one)[0]).toBe(100)
  })

  it('reads keys and ETags alone, so it deletes rows that the model cannot read', async () => {
    const { account, table } = await bulkTable()
    await table.insert(new DynamicEntity('Rome', '1', { age: 'not a number' }))
    const people = account.table(Person)
    await expect(people.query().where({ city: 'Rome' }).toArray()).rejects.toThrow(/age/)
    expect(await people.query().where({ city: 'Rome' }).deleteAll()).toMatchObject({ done: 1 })
    expect(await contentOf(table)).toEqual([])
  })

  it('selects only the keys', async () => {
    const urls: string[] = []
    const { table } = await bulkTable((transport) => (request, limits) => {
      if (request.method === 'GET') urls.push(decodeURIComponent(request.query))
      return transport(request, limits)
    })
    await table.query().where({ partitionKey: 'a' }).allowPartitionScan().deleteAll()
    expect(urls).toEqual([expect.stringMatching(/\$select=PartitionKey,RowKey(?:&|$)/)])
  })

  it('deletes one entity that is named by its whole key, and as many as take says', async () => {
    const { table, stored } = await bulkTable()
    await table.bulk().insert(rows('a', 4))
    const query = table.query().where({ partitionKey: 'a' })
    await query.where({ rowKey: '00002' }).deleteAll()
    await query.take(2).deleteAll()
    expect(await stored()).toEqual({ 'a/00003': 3 })
  })

  it("fails for a row that changed since it was read, unless etag is '*'", async () => {
    let change = async () => {}
    const { table, stored } = await bulkTable((transport) => async (request, limits) => {
      if (request.body?.includes('DELETE ') || request.method === 'DELETE') await change()
      return transport(request, limits)
    })
    await table.bulk().insert(rows('a', 3))
    change = async () => {
      change = async () => {}
      await table.merge(row('a', '00001', 10), { etag: '*' })
    }
    const query = table.query().where({ partitionKey: 'a' })
    expect(await statusesOf(query.deleteAll())).toEqual([
      '00000 done',
      '00001 failed',
      '00002 done',
    ])
    change = async () => {
      change = async () => {}
      await table.merge(row('a', '00001', 11), { etag: '*' })
    }
    expect(await query.deleteAll({ etag: '*' })).toMatchObject({ done: 1 })
    expect(await stored()).toEqual({})
  })

  it('skips a row that is gone already', async () => {
    let change = async () => {}
    const { table } = await bulkTable((transport) => async (request, limits) => {
      if (request.body?.includes('DELETE ')) await change()
      return transport(request, limits)
    })
    await table.bulk().insert(rows('a', 3))
    change = async () => {
      change = async () => {}
      await table.delete(['a', '00001'], { etag: '*' })
    }
    const run = table.query().where({ partitionKey: 'a' }).deleteAll()
    expect(await statusesOf(run)).toEqual(['00000 done', '00001 skipped', '00002 done'])
  })

  it('counts rows as deleted that are gone when their transaction is repeated after a lost response', async () => {
    const { table, local, stored } = await bulkTable(undefined, { retry: noRetry })
    await table.bulk().insert(rows('a', 3))
    local.faults.add({
      fault: { kind: 'lost response' },
      operation: 'entityGroupTransaction',
      times: 1,
    })
    const summary = await table.query().where({ partitionKey: 'a' }).deleteAll({ attempts: 2 })
    expect(summary).toMatchObject({ done: 3, skipped: 0, unknown: 0 })
    expect(await stored()).toEqual({})
  })

  it('reports rows as unknown when every response is lost, also when the signal aborts meanwhile', async () => {
    const controller = new AbortController()
    const { table, local } = await bulkTable(undefined, {
      retry: noRetry,
      sleep: async (delay) => {
        await new Promise(setImmediate)
        if (delay > 100) controller.abort()
      },
    })
    await table.bulk().insert(rows('a', 3))
    local.faults.add({ fault: { kind: 'lost response' }, operation: 'entityGroupTransaction' })
    const query = table.query().where({ partitionKey: 'a' })
    const summary = await query.deleteAll({ signal: controller.signal, attempts: 5 }).summary()
    expect(summary).toMatchObject({ unknown: 3, failed: 0, ending: 'aborted' })
  })

  it.each([
    ['of the account', { retry: noRetry }, {}],
    ['of the call', {}, { retry: noRetry }],
  ])(
    'sends each transaction once when the policy %s never retries',
    async (_, settings, options) => {
      const { table, local, waits, writes } = await bulkTable(undefined, settings)
      await table.bulk().insert(rows('a', 3))
      local.faults.add({ fault: { kind: 'lost response' }, operation: 'entityGroupTransaction' })
      writes().length = 0
      const summary = await table.deletePartition('a', options).summary()
      expect(summary).toMatchObject({ unknown: 3, done: 0 })
      expect(writes()).toHaveLength(1)
      // The writer waits 5 ms for more input.
      expect(waits.filter((wait) => wait > 5)).toEqual([])
    },
  )

  it('sends a transaction again when the policy retries its failure, but not now', async () => {
    const policy = linearRetry({ attempts: 2, delay: 1 })
    const { table, local, writes } = await bulkTable(undefined, { retry: policy })
    await table.bulk().insert(rows('a', 3))
    const operation = 'entityGroupTransaction'
    local.faults.add({ fault: { kind: 'rejection', code: 'ServerBusy' }, operation, times: 5 })
    writes().length = 0
    expect(await table.deletePartition('a')).toMatchObject({ done: 3 })
    expect(writes()).toHaveLength(6)
  })

  it('stays possible after every method that refines a query', async () => {
    const { table } = await bulkTable()
    const query = table.query().where({ partitionKey: 'a' })
    for (const refined of [
      query.take(5),
      query.pageSize(5),
      query.allowPartitionScan(),
      query.allowTableScan(),
      query.prefetch(false),
      query.onBadRow('skip'),
      query.inPartitions(['a']),
      query.parallel({ ranges: [{ rowKey: '1' }] }),
    ]) {
      expect(refined).toBeInstanceOf(TableQuery)
    }
    expect(await query.inPartitions(['a', 'b']).deleteAll()).toMatchObject({ done: 0 })
  })

  it('rejects invalid options when the run begins', async () => {
    const { table } = await bulkTable()
    await table.bulk().insert(rows('a', 1))
    const rowsOfA = table.query().where({ partitionKey: 'a' })
    const invalid: Record<string, () => BulkRun<RawEntity>> = {
      'deadline of': () => table.deletePartition('a', { deadline: -1 }),
      'timeout of': () => rowsOfA.deleteAll({ timeout: -1 }),
      'concurrency of deleteAll': () => rowsOfA.deleteAll({ concurrency: 0 }),
      'etag of deleteAll': () => rowsOfA.deleteAll({ etag: 'W/"1"' as '*' }),
      'The options of deleteAll': () => rowsOfA.deleteAll(null as never),
      'The options of deleteAll of table': () => rowsOfA.deleteAll((() => false) as never),
      'The options of copyTo': () => table.copyTo(table, null as never),
      'mode of copyTo': () => table.copyTo(table, { mode: 'merge' as never }),
      'copyTo of table \\w+ needs another table': () => table.copyTo(table),
    }
    for (const [problem, run] of Object.entries(invalid)) {
      const error = { code: 'InvalidOptionValue', message: expect.stringMatching(problem) }
      await expect(run()).rejects.toMatchObject(error)
      await expect(run().summary()).rejects.toMatchObject(error)
      await expect(run()[Symbol.asyncIterator]().next()).rejects.toMatchObject(error)
    }
    expect(await rowsOfA.count()).toBe(1)
    expect(
      await rowsOfA
        .deleteAll({ parallel: 2 } as never)
        .summary()
        .catch(String),
    ).toMatch(/no option 'parallel'/)
    expect(await rowsOfA.count()).toBe(1)
  })

  it('lists only its own options when it rejects an unknown one', async () => {
    const { table } = await bulkTable()
    for (const option of ['idempotencyKey', 'journal', 'modify']) {
      const options = { [option]: 'once' } as object
      const list =
        'budget, context, deadline, exactWrites, hedgeAfter, locationMode, retry, signal, timeout, attempts'
      const rejected = new RegExp(`no option '${option}'. Its options are: ${list}(?!.*journal)`)
      await expect(table.copyTo(table, options)).rejects.toThrow(rejected)
      const rows = table.query().where({ partitionKey: 'a' })
      await expect(rows.deleteAll(options)).rejects.toThrow(rejected)
    }
  })

  it('keeps the options that it began with', async () => {
    const { table } = await bulkTable()
    await table.bulk().insert(rows('a', 1))
    const options = { concurrency: 1 }
    const done = table.deletePartition('a', options).summary()
    options.concurrency = 0
    expect(await done).toMatchObject({ done: 1 })
  })

  it('rejects a query that would have to read its rows, or would scan the table', async () => {
    const { table } = await bulkTable()
    const local = table
      .query()
      .where({ partitionKey: 'a' })
      .filterLocally(() => true)
    expect((await local.deleteAll().summary()).cause).toMatchObject({ code: 'InvalidQuery' })
    expect((await table.query().deleteAll().summary()).cause).toMatchObject({ code: 'TableScan' })
  })
})

describe('deletePartition', () => {
  it('deletes all rows of a partition, of any type', async () => {
    const { account, table, stored } = await bulkTable()
    await table.bulk().insert([...rows('Rome', 120), row('Oslo', '1', 1)])
    expect(await account.table(Person).deletePartition('Rome')).toMatchObject({ done: 120 })
    expect(await stored()).toEqual({ 'Oslo/1': 1 })
  })
})

describe('copyTo', () => {
  /** One property of every type, with the values that JSON and JavaScript get wrong. */
  const everyType = {
    text: "O'Neil \u{1f600}",
    int32: EntityProperty.of(-1, 'Int32'),
    int64: EntityProperty.of(2n ** 63n - 1n, 'Int64'),
    whole: EntityProperty.of(3, 'Double'),
    zero: EntityProperty.of(-0, 'Double'),
    infinite: EntityProperty.of(Number.POSITIVE_INFINITY, 'Double'),
    nan: EntityProperty.of(Number.NaN, 'Double'),
    tiny: EntityProperty.of(5e-324, 'Double'),
    yes: true,
    id: EntityProperty.of('c9da6455-213d-42c9-9a79-3e9149a57833', 'Guid'),
    bytes: new Uint8Array([0, 255]),
    empty: '',
  }

  it('copies every property and type to a table of another account, whatever the model declares', async () => {
    const from = await bulkTable()
    const to = await bulkTable()
    await from.table.insert(new DynamicEntity('p', '1', everyType))
    await from.table.insert(new DynamicEntity('p', '2', { ['__proto__']: 'own', age: 'bad' }))
    const people = from.account.table(Person)
    expect(await people.copyTo(to.account.table(Person))).toMatchObject({ done: 2 })
    expect(await contentOf(to.table)).toEqual(await contentOf(from.table))
    const copied = await to.table.get(['p', '1'])
    expect(Object.is(copied.get('zero')?.value, -0)).toBe(true)
  })

  it('copies DateTime with all of its digits', async () => {
    const from = await bulkTable()
    const to = await bulkTable()
    const value = parseDateTime('2026-11-22T01:02:03.1234567Z')
    await from.table.insert(
      new DynamicEntity('p', '1', { at: EntityProperty.of(value, 'DateTime') }),
    )
    await from.table.copyTo(to.table)
    expect(JSON.stringify((await to.table.get(['p', '1'])).get('at'))).toContain('.1234567Z')
  })

  it('leaves encrypted values encrypted, and readable with the key', async () => {
    const keys = encryptionKeys({ current: 'k', keys: { k: new Uint8Array(32).fill(1) } })
    const Patient = defineEntity({
      name: 'patients',
      partitionKey: key`${'city'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ city: z.string(), id: z.string(), note: z.string() }),
      columns: { note: encrypted(keys) },
    })
    const [from, to] = [bulkAccount(), bulkAccount()]
    const patients = from.account.table(Patient)
    const archive = to.account.table(Patient)
    await patients.create()
    await archive.create()
    const patient = { city: 'Rome', id: '1', note: 'private' }
    await patients.insert(patient)
    await patients.query().where({ city: 'Rome' }).copyTo(archive)
    expect(await archive.get({ city: 'Rome', id: '1' })).toEqual(patient)
    const source = await from.account.table('patients').get(['Rome', '1'])
    const copy = await to.account.table('patients').get(['Rome', '1'])
    expect(copy.get('note')).toEqual(source.get('note'))
  })

  it('copies the rows of a query to another table of the same account', async () => {
    const { account, table } = await bulkTable()
    const archive = account.table('archive')
    await archive.create()
    await table.bulk().insert([...rows('a', 3), ...rows('b', 3)])
    await table.query().where({ partitionKey: 'b' }).copyTo(archive)
    expect((await contentOf(archive)).map((found) => (found as unknown[])[0])).toEqual([
      'b',
      'b',
      'b',
    ])
  })

  it('overwrites, merges or keeps rows that are there, as mode says', async () => {
    const from = await bulkTable()
    const to = await bulkTable()
    await from.table.insert(new DynamicEntity('p', '1', { n: 1 }))
    await to.table.insert(new DynamicEntity('p', '1', { n: 0, other: 'kept' }))
    const run = (options: object) => from.table.copyTo(to.table, options)
    expect(await statusesOf(run({ mode: 'insert' }))).toEqual(['1 failed'])
    expect(await statusesOf(run({ mode: 'insert', onConflict: 'skip' }))).toEqual(['1 skipped'])
    expect(await to.stored()).toEqual({ 'p/1': 0 })
    expect(await statusesOf(run({ mode: 'insertOrMerge' }))).toEqual(['1 done'])
    expect((await to.table.get(['p', '1'])).get('other')?.value).toBe('kept')
    expect(await statusesOf(run({}))).toEqual(['1 done'])
    expect((await to.table.get(['p', '1'])).has('other')).toBe(false)
  })

  it('ends when the source fails, and says why', async () => {
    const from = await bulkTable(undefined, { retry: noRetry })
    const to = await bulkTable()
    from.local.faults.add({ fault: { kind: 'rejection', code: 'InternalError' } })
    const summary = await from.table.copyTo(to.table).summary()
    expect(summary).toMatchObject({ ending: 'failed', cause: { code: 'InternalError' }, read: 0 })
  })
})
