import { describe, expect, it } from 'vitest'
import { storedPoints } from './stored-points.ts'

const range = (count: number) => Array.from({ length: count }, (_, at) => at)
const unpadded = (count: number) => range(count).map(String)
const padded = (count: number) => range(count).map((id) => String(id).padStart(6, '0'))
/** Different keys without an order, the same in each run. */
const scattered = (count: number) =>
  range(count).map((at) => ((Math.imul(at + 1, 2654435761) >>> 0) / 2 ** 32).toFixed(12))

describe('the rows that a bulk write of thousands depends on', () => {
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

  it('are read page by page on Cosmos DB, which does not sort rows', async () => {
    const ids = padded(3_000)
    const { upsert, before, others } = await storedPoints(ids, 'cosmos')
    await others.delete(['m', 'point_000007'], { etag: '*' })
    const { requests } = await upsert(ids)
    expect(requests).toBeLessThanOrEqual(30 + 10)
    expect(before).toHaveLength(2_999)
  })

  it('are found on Cosmos DB, which does not sort rows', async () => {
    const ids = unpadded(3_000)
    const { upsert, before } = await storedPoints(ids, 'cosmos')
    const { requests } = await upsert(ids.slice(0, 100))
    expect(requests).toBeLessThanOrEqual(1 + 1 + 100)
    expect(before).toHaveLength(100)
  })
})
