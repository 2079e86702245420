import { defineEntity, key } from '@rowkey/mapper'
import { lt } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from './employees.ts'

const BUCKETS = Array.from({ length: 4 }, (_, bucket) => ({ bucket }))
const day = new Date(Date.UTC(2026, 10, 20))

/** 40 entries of one day, spread over four partitions. */
async function spread(flavour?: 'cosmos') {
  const { account, sent } = office(flavour)
  const Log = defineEntity({
    name: 'logs',
    partitionKey: key`${'day:date'}_${'bucket:2'}`,
    rowKey: key`${'at:inverted'}_${'id:4'}`,
    schema: z.object({ day: z.date(), bucket: z.int(), at: z.date(), id: z.int() }),
  })
  const logs = account.table(Log)
  await logs.create()
  await logs.bulk().insert(
    Array.from({ length: 40 }, (_, id) => {
      const at = new Date(day.getTime() + id * 60_000)
      return { day, bucket: (id * 7) % 4, at, id }
    }),
  )
  sent.length = 0
  return { logs, sent, query: logs.query().where({ day }) }
}

describe('a log whose PartitionKey has a bucket', () => {
  it.each([undefined, 'cosmos'] as const)(
    'R-158, R-165: one query reads all buckets and merges their rows by RowKey (%s)',
    async (flavour) => {
      const { query } = await spread(flavour)
      const newest = query.parallel({ ranges: BUCKETS, order: 'rowKeys' })
      const ids = (await newest.toArray()).map(({ id }) => id)
      expect(ids).toEqual(Array.from({ length: 40 }, (_, at) => 39 - at))
      const some = await newest.take(7).toArray()
      expect(some.map(({ id }) => id)).toEqual(ids.slice(0, 7))
    },
  )

  it('R-158, R-167: the newest rows cost one request for each bucket', async () => {
    const { query, sent } = await spread()
    const newest = query.parallel({ ranges: BUCKETS, order: 'rowKeys' }).take(3)
    expect((await newest.toArray()).map(({ id }) => id)).toEqual([39, 38, 37])
    expect(sent).toHaveLength(4)
    expect(newest.explain()).toMatchObject({
      plan: 'partitionScan',
      reasons: expect.arrayContaining([
        expect.stringContaining('rows come in the order of their RowKeys'),
      ]),
    })
  })

  it('rejects the order of RowKeys for queries that do not name one partition', async () => {
    const { query, sent } = await spread()
    const unbounded = query.parallel({ ranges: [{ bucket: lt(2) }], order: 'rowKeys' })
    const message = /order: 'rowKeys' needs queries of one partition each/
    expect(() => unbounded.explain()).toThrow(message)
    await expect(unbounded.toArray()).rejects.toThrow(message)
    expect(sent).toEqual([])
  })
})
