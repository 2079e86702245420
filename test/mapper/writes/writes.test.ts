import { defineEntity, keepRows, key, modelOf } from '@rowkey/mapper'
import { BatchError, callOf, EntityAlreadyExistsError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { modelParts } from '../../../packages/mapper/src/rows/table-parts.ts'
import { snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { Writes } from '../../../packages/mapper/src/writes/writes.ts'
import { Customer, customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'

async function freshWrites() {
  const { service, sent } = await freshTable(Customer)
  const writes = new Writes(modelParts(service, modelOf(Customer), {}))
  return { writes, sent, origin: writes.table.origin, call: callOf(service, {}, 'a test') }
}

describe('Writes', () => {
  it('lets an object know what was written', async () => {
    const { call, writes, origin } = await freshWrites()
    const jeff = customer('Smith', 'Jeff')
    const write = writes.of(jeff).insert(jeff)
    const { etag } = await writes.send(write, call)
    expect(etag).toMatch(/^W/)
    expect(jeff.etag).toBe(etag)
    const known = snapshotOf(jeff)
    expect({ ...known, row: known?.row.text }).toEqual({
      origin,
      row: write.input.body,
      etag,
      partial: false,
    })
  })

  it('lets a deleted object keep its ETag, for the next write to fail', async () => {
    const { call, writes } = await freshWrites()
    const jeff = customer('Smith', 'Jeff')
    await writes.send(writes.of(jeff).insert(jeff), call)
    const { etag } = jeff
    await writes.send(writes.of(jeff).delete(jeff, undefined), call)
    expect([jeff.etag, snapshotOf(jeff)?.exists]).toEqual([etag, 'no'])
  })

  it('lets each object of a transaction know what was written', async () => {
    const { call, writes, sent } = await freshWrites()
    const both = [customer('Smith', 'Ann'), customer('Smith', 'Ben')]
    const results = await writes.sendAll(
      both.map((each) => writes.of(each).insert(each)),
      call,
    )
    expect(both.map(({ etag }) => etag)).toEqual(results.map(({ etag }) => etag))
    expect(sent).toHaveLength(1)
  })

  it('lets no object know a write that the service rejected', async () => {
    const { call, writes } = await freshWrites()
    const first = customer('Smith', 'Jeff')
    await writes.send(writes.of(first).insert(first), call)
    const again = customer('Smith', 'Jeff')
    const write = writes.of(again).insert(again)
    await expect(writes.send(write, call)).rejects.toThrow(EntityAlreadyExistsError)
    await expect(writes.sendAll([write], call)).rejects.toThrow(BatchError)
    expect([again.etag, snapshotOf(again)]).toEqual([undefined, undefined])
  })

  it('reads whole rows for a keeper that was declared after they were read ahead', async () => {
    const { service } = await freshTable(Customer)
    const Point = defineEntity({
      name: 'customers',
      partitionKey: key`${'map'}`,
      rowKey: key`p_${'id'}`,
      schema: z.object({
        map: z.string(),
        id: z.string(),
        x: z.number(),
        made: z.date().optional(),
      }),
      createdAt: 'made',
    })
    const writes = new Writes(modelParts(service, Point, {}))
    const call = callOf(service, {}, 'a test')
    const points = Array.from({ length: 12 }, (_, id) => ({ map: 'm', id: `${id}`, x: 1 }))
    for (const point of points) await writes.send(writes.of(point).insert(point), call)
    const again = points.map(({ map, id }) => ({ map, id, x: 2 }))
    const made = again.map((point) => writes.of(point).insertOrReplace(point))
    await writes.readAhead(made, () => [], call)
    const before: unknown[] = []
    keepRows(Point, {
      touches: () => true,
      plan: async (transitions) => {
        before.push(...transitions.map((each) => each.before?.['x']))
        return { companions: [], rejected: async (_, error) => error }
      },
    })
    await writes.sendAll(made, call)
    expect(before).toEqual(points.map(() => 1))
  })
})
