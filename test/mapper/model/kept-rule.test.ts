import { defineEntity, type KeyCodec, keepRows, key } from '@rowkey/mapper'
import { anyOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'
import { shadow } from '../keep/shadowed-points.ts'

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
})
