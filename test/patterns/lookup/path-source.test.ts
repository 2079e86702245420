import { defineEntity, keepRows, key, type RowKeeper } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { FoundEntries } from '../../../packages/patterns/src/lookup/entry-rows.ts'
import {
  type PathQuery,
  pathSource,
  type RowPath,
} from '../../../packages/patterns/src/lookup/path-source.ts'
import { freshAccount } from '../../mapper/fresh-account.ts'

const definePoint = () =>
  defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`${'id'}`,
    schema: z.object({ map: z.string(), id: z.string(), x: z.int32() }),
  })

/** Finds rows one by one, as long as it is open. */
class OneByOne implements RowPath {
  isOpen = true
  readonly asked: (string | undefined)[] = []

  explain({ filter }: PathQuery) {
    if (filter.kind !== 'and') return { reasons: ['The path needs two conditions.'] }
    return { index: 'one', reasons: ['Reads row by row.'] }
  }

  async find({ filter, after = '' }: PathQuery): Promise<FoundEntries | undefined> {
    if (filter.kind !== 'and' || !this.isOpen) return undefined
    this.asked.push(after)
    if (after === 'e') return { entries: [], isEnd: true }
    const rowKey = String.fromCharCode((after || '`').charCodeAt(0) + 1)
    const key = { partitionKey: 'm', rowKey }
    return { entries: [{ key, row: key, isOf: () => true }], isEnd: false }
  }
}

async function map() {
  const path = new OneByOne()
  const keeper: RowKeeper = {
    source: (own, table) => pathSource(own, table, path),
    touches: () => false,
    plan: async () => ({ companions: [], rejected: async (_, error) => error }),
  }
  const Point = definePoint()
  keepRows(Point, keeper)
  const { account, sent } = freshAccount()
  const points = account.table(Point)
  await points.create()
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    await account.table('points').insertOrReplace(new DynamicEntity('m', id, { x: 1 }))
  }
  sent.length = 0
  return { path, points, sent }
}

const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id).join('')

describe('a path to the rows of a table', () => {
  it('finds the rows of the queries that it fits', async () => {
    const { points, path } = await map()
    expect(ids(await points.query().where({ map: 'm', x: 1 }).toArray())).toBe('abcde')
    expect(path.asked).toEqual(['', 'a', 'b', 'c', 'd', 'e'])
  })

  it('leaves the other queries to the filter', async () => {
    const { points, path } = await map()
    expect(ids(await points.query().where({ map: 'm' }).toArray())).toBe('abcde')
    expect(path.asked).toEqual([])
  })

  it('is named by explain, with its reasons', async () => {
    const { points } = await map()
    expect(points.query().where({ map: 'm', x: 1 }).explain()).toMatchObject({
      plan: 'range',
      index: 'one',
      reasons: ['Reads row by row.'],
    })
    const scan = points.query().where({ map: 'm' }).explain()
    expect(scan.index).toBeUndefined()
    expect(scan.reasons).toContain('The path needs two conditions.')
  })

  it('hands over to the filter in the middle of a run, without a row twice or missing', async () => {
    const { points, path } = await map()
    const query = points.query().where({ map: 'm', x: 1 }).pageSize(1)
    const found: string[] = []
    let token: string | undefined
    do {
      const page = await query.page({ size: 1, token })
      found.push(ids(page.items))
      path.isOpen = found.length < 2
      token = page.next
    } while (token !== undefined)
    expect(found.join('')).toBe('abcde')
  })

  it('rejects the continuation token of another query', async () => {
    const { points } = await map()
    const { next } = await points.query().where({ map: 'm', x: 1 }).page({ size: 2 })
    const other = points.query().where({ map: 'm', x: 2 })
    await expect(other.page({ size: 2, token: next })).rejects.toMatchObject({
      code: 'InvalidContinuationToken',
    })
  })
})
