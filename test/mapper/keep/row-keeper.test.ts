import { defineEntity, keepRows, key, type RowKeeper, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import type { CompiledQuery } from '@rowkey/query'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const definePoint = (type: string) =>
  defineEntity({
    name: 'points',
    partitionKey: key`${'map'}`,
    rowKey: key`${'id'}`,
    discriminator: { type },
    schema: z.object({ map: z.string(), id: z.string() }),
  })

let asked: string[]

beforeEach(() => {
  asked = []
})

/** Finds the rows of the queries that ask for the id of its name, and leaves the others. */
function finderOf(name: string): RowKeeper {
  return {
    touches: () => false,
    plan: async () => ({ companions: [], rejected: async (_, error) => error }),
    source: (own, table) => ({
      ...own,
      explain: (plan) =>
        isFor(name, plan) ? { ...plan, index: name } : (own.explain?.(plan) ?? plan),
      async fetchPage(query, page, options) {
        asked.push(`${name} of ${table.name}`)
        if (!isFor(name, query)) return own.fetchPage(query, page, options)
        const raw = await own.findRow({ partitionKey: 'm', rowKey: name }, {}, options)
        return { items: raw === undefined ? [] : [raw] }
      },
    }),
  }
}

const isFor = (name: string, { filter }: Pick<CompiledQuery, 'filter'>) =>
  filter?.includes(`RowKey ge '${name}'`) === true

async function points() {
  const Point = definePoint('point')
  for (const name of ['a', 'b']) keepRows(Point, finderOf(name))
  const { account, sent } = freshAccount()
  await account.table('points').create()
  for (const id of ['a', 'b', 'c']) {
    await account.table('points').insert(new DynamicEntity('m', id, { type: 'point' }))
  }
  sent.length = 0
  return { Point, account, sent, table: account.table(Point) }
}

describe('the source of a keeper', () => {
  it('finds the rows of queries in the place of the filter', async () => {
    const { table, sent } = await points()
    expect(
      await table
        .query()
        .where((c) => c.map.eq('m').and(c.id.ge('a')))
        .toArray(),
    ).toMatchObject([{ id: 'a' }])
    expect(sent.map(({ path }) => decodeURIComponent(path))).toEqual([
      expect.stringContaining("(PartitionKey='m',RowKey='a')"),
    ])
  })

  it('leaves what it does not find to that of the next keeper, and this one to the filter', async () => {
    const { table } = await points()
    const fromB = table.query().where((c) => c.map.eq('m').and(c.id.ge('b')))
    expect(await fromB.toArray()).toMatchObject([{ id: 'b' }])
    expect(fromB.explain().index).toBe('b')
    const all = table.query().where({ map: 'm' })
    expect(await all.toArray()).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(all.explain().index).toBeUndefined()
    expect(new Set(asked)).toEqual(new Set(['a of points', 'b of points']))
  })

  it('is not asked for rows of several types, but for those of its type', async () => {
    const { Point, account } = await points()
    const all = account.table('points', union(Point, definePoint('line')))
    await all.query().where({ map: 'm' }).toArray()
    expect(asked).toEqual([])
    await all.ofType(Point).query().where({ map: 'm' }).toArray()
    expect(asked).toEqual(['a of points', 'b of points'])
  })
})
