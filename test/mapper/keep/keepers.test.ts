import { forbidKeepers, keepRows, ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { freshAccount } from '../fresh-account.ts'
import { definePoint, shadow } from './shadowed-points.ts'

describe('keepRows', () => {
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
