import { localTableService } from '@rowkey/local'
import { Account, defineEntity, keepRows, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { type Flavour, type HttpRequest, noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const range = (count: number) => Array.from({ length: count }, (_, at) => at)
const unpadded = (count: number) => range(count).map(String)
const padded = (count: number) => range(count).map((id) => String(id).padStart(6, '0'))
/** Different keys without an order, the same in each run. */
const scattered = (count: number) =>
  range(count).map((at) => ((Math.imul(at + 1, 2654435761) >>> 0) / 2 ** 32).toFixed(12))

/** A table of points whose writes depend on the rows that are stored. */
async function storedPoints(ids: readonly string[], flavour: Flavour = 'storage') {
  const { transport, connectionString, faults } = localTableService({ flavour })
  const sent: HttpRequest[] = []
  let read = 0
  let beforeWrite: (() => Promise<unknown>) | undefined
  const watching: Transport = async (request, limits) => {
    sent.push(request)
    if (request.path.endsWith('$batch')) await beforeWrite?.()
    const response = await transport(request, limits)
    if (request.method === 'GET') read += response.body.split('"RowKey":').length - 1
    return response
  }
  const account = new Account(
    tableService({
      connectionString: connectionString(),
      flavour,
      transport: watching,
      retry: noRetry,
    }),
  )
  const Point = defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`point_${'id'}`,
    schema: z.object({ map: z.string(), id: z.string(), x: z.number() }),
  })
  const before: unknown[] = []
  keepRows(Point, {
    touches: () => true,
    plan: async (transitions) => {
      before.push(...transitions.flatMap((each) => each.before?.['x'] ?? []))
      return { companions: [], rejected: async (_, error) => error }
    },
  })
  const points = account.table(Point)
  await points.create()
  const rows = ids.map((id) => new DynamicEntity('m', `point_${id}`, { x: 1 }))
  await account.table('points').bulk().insert(rows)
  return {
    before,
    faults,
    /** The table of another program. */
    others: new Account(
      tableService({ connectionString: connectionString(), flavour, transport, retry: noRetry }),
    ).table('points'),
    /** Stores points again; returns the requests, and how many rows they read. */
    async upsert(again: readonly string[], meanwhile?: () => Promise<unknown>) {
      beforeWrite = meanwhile
      sent.length = 0
      read = 0
      before.length = 0
      const written = again.map((id) => ({ map: 'm', id, x: 1 }))
      const { done } = await points.bulk().insertOrReplace(written)
      expect(done).toBe(again.length)
      return { requests: sent.length, read }
    },
  }
}

describe('the rows that a bulk write depends on', () => {
  it('are read by at most 10 requests for 3,000 rows, padded or not', {
    timeout: 60_000,
  }, async () => {
    for (const ids of [padded(3_000), unpadded(3_000)]) {
      const { upsert, before } = await storedPoints(ids)
      const { requests } = await upsert(ids)
      expect(requests).toBeLessThanOrEqual(30 + 10)
      expect(before).toHaveLength(3_000)
    }
  })

  it('are read together for transactions to come, too, so a random order costs a few requests more', async () => {
    const ids = scattered(5_000)
    const { upsert, before } = await storedPoints(ids)
    const { requests, read } = await upsert(ids)
    expect(requests).toBeLessThanOrEqual(50 + 3 * 6)
    expect(read).toBeLessThanOrEqual(6 * ids.length)
    expect(before).toHaveLength(ids.length)
  })

  it('are read again when another program changes them before their transaction', async () => {
    const ids = padded(300)
    const { upsert, before, others } = await storedPoints(ids)
    const key = { partitionKey: 'm', rowKey: 'point_000250' }
    const changed = new DynamicEntity(key.partitionKey, key.rowKey, { x: 5 })
    let isChanged = false
    const { requests } = await upsert(ids, async () => {
      if (!isChanged) await others.replace(changed, { etag: '*' })
      isChanged = true
    })
    // The third transaction fails once, and reads its rows anew.
    expect(requests).toBe(1 + 3 + 1 + 1)
    expect(before.filter((x) => x === 5)).toHaveLength(1)
  })

  it('are what the first change of a row stores for the second one', async () => {
    const ids = padded(120)
    const { upsert, before } = await storedPoints(ids)
    const { requests } = await upsert([...ids, '000110'])
    expect(before).toHaveLength(121)
    expect(requests).toBe(1 + 2 + 1 + 1)
  })

  it('are read one by one when ranges read too many other rows again and again', async () => {
    const ids = scattered(8_000)
    const { upsert, before } = await storedPoints(ids)
    const some = ids.slice(0, 2_000)
    const { read } = await upsert(some)
    expect(read).toBeLessThanOrEqual(10_000 + 15 * some.length)
    expect(before).toHaveLength(some.length)
  })

  it('are read one by one when too many other rows lie between them', async () => {
    const ids = padded(5_000)
    const { upsert, before } = await storedPoints(ids)
    const few = ids.filter((_, at) => at % 400 === 0)
    const { requests, read } = await upsert(few)
    expect(few).toHaveLength(13)
    expect(requests).toBeLessThanOrEqual(1 + 1 + few.length)
    expect(read).toBeLessThanOrEqual(10 * few.length + few.length)
    expect(before).toHaveLength(few.length)
  })

  it('are read by one request for each group of them', async () => {
    const ids = padded(5_000)
    const { upsert, before } = await storedPoints(ids)
    const both = [...ids.slice(0, 50), ...ids.slice(-50)]
    const { requests } = await upsert(both)
    expect(requests).toBe(1 + 2)
    expect(before).toHaveLength(100)
  })

  it('may be missing', async () => {
    const { upsert, before } = await storedPoints(padded(50))
    const { requests } = await upsert(padded(100))
    expect(requests).toBe(1 + 1)
    expect(before).toHaveLength(50)
  })

  it('are read one by one when the service ends the page of a range before its first row', async () => {
    const ids = ['', ...padded(20)]
    const { upsert, before, faults } = await storedPoints(ids)
    faults.add({ operation: 'queryEntities', fault: { kind: 'cut page', rows: 0 } })
    const { requests } = await upsert(ids)
    expect(requests).toBe(1 + 1 + ids.length)
    expect(before).toHaveLength(ids.length)
  })

  it('are found on Cosmos DB, which does not sort rows', async () => {
    const ids = unpadded(3_000)
    const { upsert, before } = await storedPoints(ids, 'cosmos')
    const { requests } = await upsert(ids.slice(0, 100))
    expect(requests).toBeLessThanOrEqual(1 + 1 + 100)
    expect(before).toHaveLength(100)
  })
})
