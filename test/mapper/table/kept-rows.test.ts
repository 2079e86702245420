import { defineEntity, keepRows, key, type RowKeeper } from '@rowkey/mapper'
import { deleteEntity, insertOrReplaceEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bulkAccount } from '../bulk/bulk-account.ts'

/** Keeps one row beside each point. */
const shadow: RowKeeper = {
  touches: () => true,
  plan: async (transitions, { table }) => ({
    companions: transitions.map(({ key: { partitionKey, rowKey }, after }) => {
      const shadowKey = { partitionKey, rowKey: `~rk~shadow_${rowKey}` }
      const body = JSON.stringify({ PartitionKey: partitionKey, RowKey: shadowKey.rowKey })
      const input = { table: table.name, key: shadowKey }
      return after === undefined
        ? { operation: deleteEntity, input: { ...input, body: '', etag: '*' } }
        : { operation: insertOrReplaceEntity, input: { ...input, body } }
    }),
    rejected: async (_, error) => error,
  }),
}

async function freshPoints() {
  const Point = defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`point_${'id'}`,
    schema: z.object({ map: z.string(), id: z.string(), note: z.string().optional() }),
  })
  keepRows(Point, shadow)
  const { account } = bulkAccount()
  const points = account.table(Point)
  await points.create()
  const keys = async () => {
    const all = await account.table('points').query().allowTableScan().toArray()
    return all.map(({ rowKey }) => rowKey)
  }
  return { account, points, keys }
}

const pointsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ map: 'm', id: String(at).padStart(3, '0') }))

describe('rows of keepers', () => {
  it('are stored with each operation of a bulk write, in transactions that hold them', async () => {
    const { points, keys } = await freshPoints()
    expect(await points.bulk().insert(pointsOf(120))).toMatchObject({ done: 120 })
    const stored = await keys()
    expect(stored.filter((rowKey) => rowKey.startsWith('~rk~shadow_'))).toHaveLength(120)
    expect(stored).toHaveLength(240)
  })

  it.each([
    ['skip', { skipped: 1, failed: 0, done: 2 }],
    ['fail', { skipped: 0, failed: 1, done: 2 }],
  ] as const)(
    'are left out for a row that was deleted meanwhile, with onMissing %s',
    async (onMissing, ends) => {
      for (const kind of ['merge', 'replace', 'delete'] as const) {
        for (const etag of ['*', undefined]) {
          const { points, keys } = await freshPoints()
          const inserted = await Promise.all(pointsOf(3).map((each) => points.insert(each)))
          for (const each of inserted) each.note = 'changed'
          await points.delete({ map: 'm', id: '001' }, { etag: '*' })
          const bulk = points.bulk({ onMissing })
          const runs = {
            merge: () => bulk.merge(inserted, { etag }),
            replace: () => bulk.replace(inserted, { etag }),
            delete: () => bulk.delete(inserted, { etag }),
          }
          expect(await runs[kind]().summary(), `${kind} ${etag}`).toMatchObject(ends)
          expect(await keys()).toHaveLength(kind === 'delete' ? 0 : 4)
        }
      }
    },
  )

  it('are deleted with the rows of a query, and deletePartition rejects the table', async () => {
    const { account, points, keys } = await freshPoints()
    await points.bulk().insert(pointsOf(3))
    const query = points.query().where({ map: 'm', id: '001' })
    expect(await query.deleteAll()).toMatchObject({ done: 1 })
    expect(await keys()).toEqual([
      'point_000',
      'point_002',
      '~rk~shadow_point_000',
      '~rk~shadow_point_002',
    ])
    expect(await points.query().where({ map: 'm' }).deleteAll({ etag: '*' })).toMatchObject({
      done: 2,
    })
    expect(await keys()).toEqual([])
    await points.bulk().insert(pointsOf(3))
    await expect(points.deletePartition('m')).rejects.toThrow(/Use query\(\)\.where/)
    expect(await keys()).toHaveLength(6)
    await account.table('points').deletePartition('m')
    expect(await keys()).toEqual([])
  })

  it('are copied with the whole table, and cannot be left behind', async () => {
    const [from, to] = [await freshPoints(), await freshPoints()]
    await from.points.bulk().insert(pointsOf(2))
    const part = from.points.query().where({ map: 'm' })
    const message = /index rows.*use account\.table\('points'\) as the destination/
    await expect(part.copyTo(to.points)).rejects.toThrow(message)
    await expect(from.points.copyTo(to.points)).rejects.toThrow(message)
    expect(await to.keys()).toEqual([])
    await from.points.copyTo(to.account.table('points'))
    expect(await to.keys()).toEqual(await from.keys())
  })
})
