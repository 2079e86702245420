import { defineEntity, keepRows, key, type RowKeeper } from '@rowkey/mapper'
import { propertyNamesOf } from '@rowkey/odata'
import { type BatchError, insertOrReplaceEntity } from '@rowkey/rest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

/** The model of points. Keepers are declared on models. */
export const definePoint = () =>
  defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`point_${'id'}`,
    schema: z.object({ map: z.string(), id: z.string(), x: z.number().optional() }),
  })

/** Keeps one row beside each point, with the names of its properties before and after the last write. */
export const shadow: RowKeeper = {
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

/** Opens an empty table of points with a keeper. */
export async function kept(keeper: RowKeeper = shadow) {
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
