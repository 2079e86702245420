import { defineEntity, Entity, Int64, key, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

@Entity('scores')
class Score {
  @PartitionKey() game = ''
  @RowKey() player = ''
  @Int64({ as: 'number' }) points = 0
  @Property('Int64', { as: 'number' }) best?: number
}

const ScoreModel = defineEntity({
  name: 'scores',
  partitionKey: key`${'game'}`,
  rowKey: key`${'player'}`,
  schema: z.object({ game: z.string(), player: z.string(), points: z.number().int() }),
  columns: { points: { type: 'Int64' } },
})

/** A table with one score, as another program stores it. */
async function stored(points: bigint) {
  const { account } = freshAccount()
  const rows = account.table('scores')
  await rows.create()
  await rows.insert({ partitionKey: 'g', rowKey: 'p', points })
  return { account, rows, scores: account.table(Score) }
}

describe('an Int64 as a number', () => {
  it('is stored as an Int64 and read as a number', async () => {
    const { scores, rows } = await stored(5n)
    const score = await scores.get(['g', 'p'])
    expect(score.points).toBe(5)
    score.points = Number.MAX_SAFE_INTEGER
    score.best = -7
    await scores.merge(score)
    const row = await rows.get(['g', 'p'])
    expect([row.properties.get('points')?.value, row.properties.get('best')?.value]).toEqual([
      9007199254740991n,
      -7n,
    ])
  })

  it.each([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n])('never rounds a stored %s', async (points) => {
    const { account, scores } = await stored(points)
    const refused = {
      name: 'DecodeError',
      code: 'UnsafeInteger',
      message: expect.stringContaining(`${points} is not a safe integer`),
    }
    await expect(scores.get(['g', 'p'])).rejects.toMatchObject(refused)
    await expect(account.table(ScoreModel).get(['g', 'p'])).rejects.toMatchObject(refused)
  })

  it.each([2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects %s', async (points) => {
    const { scores } = await stored(5n)
    const score = Object.assign(new Score(), { game: 'g', player: 'q', points })
    await expect(scores.insert(score)).rejects.toMatchObject({
      name: 'InputError',
      code: 'UnsafeInteger',
      message: expect.stringContaining('Score.points cannot be written'),
    })
  })

  it('names the kind of a value that is not a number', async () => {
    const { scores } = await stored(5n)
    const score = Object.assign(new Score(), { game: 'g', player: 'q', points: 5n })
    await expect(scores.insert(score)).rejects.toThrow(
      'a value of type bigint is not a safe integer',
    )
  })

  it('is compared as an Int64 by queries', async () => {
    const { account, scores } = await stored(123n)
    const query = scores.query().where((row) => row.game.eq('g').and(row.points.ge(123)))
    expect(query.explain().filter).toBe("PartitionKey eq 'g' and points ge 123L")
    expect(await query.toArray()).toHaveLength(1)
    const models = account.table(ScoreModel)
    expect(models.query().where({ game: 'g', points: 7 }).explain().filter).toContain(
      'points eq 7L',
    )
    expect(() => scores.query().where((row) => row.points.eq(0.5))).toThrow(
      '0.5 is not a safe integer',
    )
  })

  it('sends nothing when nothing changed, and only what changed', async () => {
    const { scores, rows } = await stored(5n)
    const score = await scores.get(['g', 'p'])
    const { etag } = await rows.get(['g', 'p'])
    await scores.merge(score)
    expect((await rows.get(['g', 'p'])).etag).toBe(etag)
    await scores.modify(['g', 'p'], (each) => {
      each.best = 1
    })
    const row = await rows.get(['g', 'p'])
    expect(row.properties.get('points')?.value).toBe(5n)
  })

  it('is only for numbers in a schema', () => {
    const model = () =>
      defineEntity({
        name: 'scores',
        partitionKey: key`${'game'}`,
        rowKey: key`${'player'}`,
        schema: z.object({ game: z.string(), player: z.string(), points: z.string() }),
        columns: { points: { type: 'Int64' } },
      })
    expect(model).toThrow('only for a number without another rule')
  })

  it('rejects another form', () => {
    // @ts-expect-error only 'number' and 'bigint'
    expect(() => Int64({ as: 'text' })).toThrow(
      "as of @Int64 must be 'number' or 'bigint'; got \"text\"",
    )
  })
})
