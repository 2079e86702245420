import { defineEntity, type KeyCodec, key } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

describe('a table of a model with keepers', () => {
  const define = (rowKey: KeyCodec<{ id: string }>) =>
    defineEntity({
      name: 'points',
      partitionKey: key`${'map'}`,
      rowKey,
      schema: z.object({ map: z.string(), id: z.string(), x: z.number().optional() }),
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
