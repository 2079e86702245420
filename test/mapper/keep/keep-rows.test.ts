import { localTableService } from '@rowkey/local'
import {
  Account,
  defineEntity,
  entityRows,
  forbidKeepers,
  type KeyCodec,
  keepRows,
  key,
  ModelError,
  planKeptRows,
  type RowKeeper,
} from '@rowkey/mapper'
import { printFilter, propertyNamesOf } from '@rowkey/odata'
import { anyOf } from '@rowkey/query'
import {
  type BatchError,
  EntityNotFoundError,
  insertOrReplaceEntity,
  noRetry,
  type Transport,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const definePoint = () =>
  defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`point_${'id'}`,
    schema: z.object({ map: z.string(), id: z.string(), x: z.number().optional() }),
  })

/** Keeps one row beside each point, with the names of its properties before and after the last write. */
const shadow: RowKeeper = {
  touches: (names) => names.has('x'),
  plan: async (transitions, { table }) => ({
    companions: transitions.map(({ key: { partitionKey, rowKey }, before, after }) => ({
      operation: insertOrReplaceEntity,
      input: {
        table: table.name,
        key: { partitionKey, rowKey: `~rk~shadow_${rowKey}` },
        body: JSON.stringify({
          PartitionKey: partitionKey,
          RowKey: `~rk~shadow_${rowKey}`,
          before: before === undefined ? 'none' : propertyNamesOf(before).join(),
          after: after === undefined ? 'none' : propertyNamesOf(after).join(),
        }),
      },
    })),
    rejected: async (_, error: BatchError) => error,
  }),
}

async function kept(keeper: RowKeeper = shadow) {
  const Point = definePoint()
  keepRows(Point, keeper)
  const { account, sent } = freshAccount()
  const points = account.table(Point)
  await points.create()
  sent.length = 0
  const shadowOf = async (id: string) => {
    const row = await account.table('points').find(['m', `~rk~shadow_point_${id}`])
    return [row?.get('before')?.value, row?.get('after')?.value]
  }
  return { account, points, sent, shadowOf }
}

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

  it('stores the rows of several keepers', async () => {
    const Point = definePoint()
    const names: string[] = []
    const named = (name: string): RowKeeper => ({
      ...shadow,
      async plan(transitions, call) {
        names.push(name)
        return name === 'one'
          ? shadow.plan(transitions, call)
          : { companions: [], rejected: shadowless }
      },
    })
    keepRows(Point, named('one'))
    keepRows(Point, named('two'))
    const { account } = freshAccount()
    await account.table(Point).create()
    await account.table(Point).insert({ map: 'm', id: 'a', x: 1 })
    expect(names).toEqual(['one', 'two'])
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

  it('a keeper that is declared after a table was opened keeps the writes of that table from then on', async () => {
    const Point = definePoint()
    const { account, sent } = freshAccount()
    const points = account.table(Point)
    await points.create()
    await points.insert({ map: 'm', id: 'a', x: 1 })
    const bulk = points.bulk()
    keepRows(Point, shadow)
    sent.length = 0
    const b = await points.insert({ map: 'm', id: 'b', x: 1 })
    await points.merge({ ...b, x: 2 }, { etag: '*' })
    await points.batch().delete(['m', 'point_a'], { etag: '*' }).submit()
    await bulk.insert([{ map: 'm', id: 'c', x: 1 }])
    const all = await account.table('points').query().allowTableScan().toArray()
    expect(all.map(({ rowKey }) => rowKey)).toEqual([
      'point_b',
      'point_c',
      '~rk~shadow_point_a',
      '~rk~shadow_point_b',
      '~rk~shadow_point_c',
    ])
    expect(await points.query().where({ map: 'm' }).count()).toBe(2)
    await points.query().where({ map: 'm' }).deleteAll()
    const left = await account.table('points').find(['m', '~rk~shadow_point_c'])
    expect(left?.get('after')?.value).toBe('none')
    await expect(async () => points.deletePartition('m')).rejects.toThrow('deletePartition')
  })

  it('models and their tables share nothing', async () => {
    const [Point, Other] = [definePoint(), definePoint()]
    keepRows(Point, shadow)
    const { account, sent } = freshAccount()
    const others = account.table(Other)
    await others.create()
    sent.length = 0
    await others.insert({ map: 'm', id: 'a', x: 1 })
    expect(sent.map(({ path }) => path.endsWith('$batch'))).toEqual([false])
  })

  it('a model whose rows are written past its tables has no keepers, in any order', () => {
    const alone = { declaration: 'wideEntity', reason: 'Its rows are written together.' }
    const Point = definePoint()
    forbidKeepers(Point, alone)
    expect(() => keepRows(Point, shadow, 'declareIndexes')).toThrow(
      'wideEntity and declareIndexes cannot share a model: Its rows are written together.',
    )
    const Kept = definePoint()
    keepRows(Kept, shadow)
    expect(() => forbidKeepers(Kept, alone)).toThrow(ModelError)
  })
})

const shadowless = async (_: number, error: Error) => error

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

describe('a table of a model with keepers', () => {
  const define = (rowKey: KeyCodec<{ id: string }>) =>
    defineEntity({
      name: 'points',
      partitionKey: key`${'map'}`,
      rowKey,
      schema: z.object({ map: z.string(), id: z.string(), x: z.number().optional() }),
    })

  it('never shows a kept row, in queries or by its key', async () => {
    const Point = define(key`${'id'}`)
    keepRows(Point, shadow)
    const { account, sent } = freshAccount()
    const points = account.table(Point)
    await points.create()
    await points.insert({ map: 'm', id: 'a', x: 1 })
    await points.insert({ map: 'm', id: 'é', x: 1 })
    sent.length = 0
    const ids = async (table: Pick<typeof points, 'query'>) =>
      (await table.query().where({ map: 'm' }).toArray()).map(({ id }) => id)
    expect(await ids(points)).toEqual(['a', 'é'])
    expect(decodeURIComponent(sent[0]?.query ?? '')).toContain("(RowKey lt '~rk~' or RowKey ge")
    const both = points.query().where({ map: 'm', id: anyOf(['a', '~rk~shadow_a']) })
    expect(await both.toArray()).toHaveLength(1)
    const kept = ['m', '~rk~shadow_a'] as const
    for (const read of [
      () => points.find(kept),
      () => points.exists(kept),
      () => points.get(kept),
    ]) {
      await expect(read()).rejects.toMatchObject({ code: 'ReservedKey' })
    }
    await expect(points.delete(kept, { etag: '*' })).rejects.toMatchObject({ code: 'ReservedKey' })
  })

  it('sends no further condition where RowKeys have a fixed beginning', async () => {
    const Point = define(key`p_${'id'}`)
    keepRows(Point, shadow)
    const { account, sent } = freshAccount()
    const points = account.table(Point)
    await points.create()
    await points.insert({ map: 'm', id: 'a', x: 1 })
    sent.length = 0
    expect(await points.query().where({ map: 'm' }).count()).toBe(1)
    expect(decodeURIComponent(sent[0]?.query ?? '')).not.toContain('~rk~')
  })

  it('rejects an entity whose RowKey has the mark, also without keepers', async () => {
    const { account, sent } = freshAccount()
    const points = account.table(define(key`${'id'}`))
    await points.create()
    sent.length = 0
    const insert = points.insert({ map: 'm', id: '~rk~x' })
    await expect(insert).rejects.toMatchObject({
      code: 'ReservedKey',
      message: expect.stringContaining('points.id'),
    })
    expect(sent).toEqual([])
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

  it('plans a change once that several keepers want', async () => {
    const Point = definePoint()
    for (const keeper of [shadow, shadow, { ...shadow }]) keepRows(Point, keeper)
    expect((await planKeptRows(Point, [transition], call)).companions).toHaveLength(1)
  })
})
