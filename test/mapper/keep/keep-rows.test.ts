import { localTableService } from '@rowkey/local'
import {
  Account,
  defineEntity,
  entityRows,
  keepRows,
  key,
  planKeptRows,
  type RowKeeper,
} from '@rowkey/mapper'
import { printFilter } from '@rowkey/odata'
import {
  EntityNotFoundError,
  insertOrReplaceEntity,
  noRetry,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'
import { definePoint, kept, shadow } from './shadowed-points.ts'

describe('keepRows', () => {
  it('lets a keeper reject copies of whole tables', async () => {
    const { account, points } = await kept({ ...shadow, uncopied: 'Write the points anew.' })
    const copy = async () => account.table('maps').copyTo(points)
    await expect(copy()).rejects.toMatchObject({
      code: 'InvalidOptionValue',
      message: 'copyTo of table maps: Write the points anew.',
    })
  })

  it('stores the keeper’s rows in the transaction of each write', async () => {
    const { points, sent, shadowOf } = await kept()
    const point = await points.insert({ map: 'm', id: 'a', x: 1 })
    expect(sent.map(({ path }) => path.endsWith('$batch'))).toEqual([true])
    expect(await shadowOf('a')).toEqual(['none', 'x'])
    point.x = 2
    await points.merge(point)
    expect(await shadowOf('a')).toEqual(['x', 'x'])
    await points.delete(point)
    expect(await shadowOf('a')).toEqual(['x', 'none'])
  })

  it('takes the version before a write from the object, without a read', async () => {
    const { points, sent } = await kept()
    const point = await points.insert({ map: 'm', id: 'a', x: 1 })
    sent.length = 0
    point.x = 2
    await points.merge(point)
    await points.replace(point)
    await points.delete(point)
    expect(sent).toHaveLength(3)
  })

  it('reads the version before a write that the object does not know', async () => {
    const { points, sent, shadowOf } = await kept()
    await points.insert({ map: 'm', id: 'a', x: 1 })
    sent.length = 0
    await points.insertOrReplace({ map: 'm', id: 'a' })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(await shadowOf('a')).toEqual(['x', ''])
  })

  it('reports an entity that another program deleted by each of the two codes of services', async () => {
    for (const code of ['ResourceNotFound', 'EntityNotFound']) {
      const Point = definePoint()
      keepRows(Point, shadow)
      const { transport, connectionString } = localTableService()
      const renaming: Transport = async (request, limits) => {
        const response = await transport(request, limits)
        return { ...response, body: response.body.replaceAll('ResourceNotFound', code) }
      }
      const account = new Account(
        tableService({ connectionString: connectionString(), transport: renaming, retry: noRetry }),
      )
      const points = account.table(Point)
      await points.create()
      const point = await points.insert({ map: 'm', id: 'a', x: 1 })
      await account.table('points').delete(['m', 'point_a'], { etag: '*' })
      await expect(points.merge({ ...point, x: 2 }, { etag: '*' })).rejects.toThrow(
        EntityNotFoundError,
      )
      await expect(points.delete(point)).rejects.toThrow(EntityNotFoundError)
      expect(await points.deleteIfExists(point)).toBe(false)
    }
  })

  it('completes a write that reads first while the account closes with drain', async () => {
    const { account, points, sent } = await kept()
    const write = points.insertOrReplace({ map: 'm', id: 'a', x: 1 })
    await account.close({ drain: true })
    expect(await write).toMatchObject({ id: 'a', x: 1 })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  it('keeps the snapshots of the objects that are written', async () => {
    const { points } = await kept()
    const point = await points.insertOrReplace({ map: 'm', id: 'a', x: 1 })
    point.x = 2
    await points.merge(point)
    point.x = 3
    await points.replace(point)
    expect((await points.get({ map: 'm', id: 'a' })).x).toBe(3)
  })

  it("throws the keeper's error for a rejected companion", async () => {
    const broken: RowKeeper = {
      ...shadow,
      plan: async (transitions, call) => ({
        ...(await shadow.plan(transitions, call)),
        companions: [
          {
            operation: insertOrReplaceEntity,
            input: {
              table: 'points',
              key: { partitionKey: 'm', rowKey: 'shadow' },
              body: '{"PartitionKey":"m","RowKey":"shadow","x@odata.type":"Edm.Guid","x":"no guid"}',
            },
          },
        ],
        rejected: async (index, { status }) => new TypeError(`companion ${index}: ${status}`),
      }),
    }
    const { points } = await kept(broken)
    const insert = points.insert({ map: 'm', id: 'a', x: 1 })
    await expect(insert).rejects.toThrow('companion 0: 400')
    expect(await points.find({ map: 'm', id: 'a' })).toBeUndefined()
  })

  it('a batch names the change of a missing row, and a single write throws the error of a single write', async () => {
    const { points, shadowOf } = await kept()
    const batch = points
      .batch()
      .insert({ map: 'm', id: 'a' })
      .delete(['m', 'point_b'], { etag: '*' })
    await expect(batch.submit()).rejects.toMatchObject({ name: 'BatchError', index: 1 })
    const merge = points.merge({ map: 'm', id: 'b', x: 1 }, { etag: '*' })
    await expect(merge).rejects.toBeInstanceOf(EntityNotFoundError)
    expect(await points.deleteIfExists(['m', 'point_b'], { etag: '*' })).toBe(false)
    expect(await shadowOf('b')).toEqual([undefined, undefined])
  })

  it('sends a value that is set back while an earlier write of the object is planned', async () => {
    for (const condition of [undefined, { etag: '*' }]) {
      const { points } = await kept()
      const point = await points.insert({ map: 'm', id: 'a', x: 1 })
      point.x = 2
      const writes = [points.merge(point)]
      point.x = 1
      writes.push(points.merge(point, condition))
      await Promise.all(writes)
      expect(await points.get({ map: 'm', id: 'a' })).toMatchObject({ x: 1 })
    }
  })

  it('forgets a write that its keeper rejected while it was planned', async () => {
    const keeper = { ...shadow }
    const { points, sent } = await kept(keeper)
    const point = await points.insert({ map: 'm', id: 'a', x: 1 })
    keeper.plan = () => Promise.reject(new Error('not now'))
    point.x = 2
    await expect(points.merge(point)).rejects.toThrow('not now')
    point.x = 1
    sent.length = 0
    await points.merge(point)
    expect(sent).toEqual([])
  })
})

describe('entityRows', () => {
  it('returns the fixed beginning of the RowKeys of a model, which no kept row has', () => {
    expect(printFilter(entityRows(definePoint()))).toBe("RowKey ge 'point_' and RowKey lt 'point`'")
  })

  it('leaves out kept rows by one condition where RowKeys may begin with anything', () => {
    const Point = defineEntity({
      name: 'points',
      partitionKey: key`${'map'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ map: z.string(), id: z.string() }),
    })
    expect(printFilter(entityRows(Point))).toBe("RowKey lt '~rk~' or RowKey ge '~rk\x7f'")
  })
})

describe('planKeptRows', () => {
  const transition = {
    key: { partitionKey: 'm', rowKey: 'point_a' },
    before: undefined,
    after: undefined,
  }
  const { account } = freshAccount()
  const call = {
    table: { service: account.service, name: 'points' },
    written: [],
    attempt: 1,
    options: {},
  }

  it('plans what the keepers of a model store with some writes', async () => {
    const Point = definePoint()
    keepRows(Point, shadow)
    const { companions } = await planKeptRows(Point, [transition], call)
    expect(companions.map(({ input }) => input.key.rowKey)).toEqual(['~rk~shadow_point_a'])
    expect((await planKeptRows(definePoint(), [transition], call)).companions).toEqual([])
  })
})
