import { bindQuery, dynamicQueryModel, type EntityResolver, QueryError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { ArraySource } from './array-source.ts'
import { rowsAt, TableSource } from './table-source.ts'

const rows = rowsAt('a/0001_Smith', 'a/0002_17', 'a/0002_18', 'b/0003_x')
const queryOn = (partitionKey: string) =>
  bindQuery(dynamicQueryModel('store'), new TableSource(rows)).where({ partitionKey })

/** The kind that the first four digits of a RowKey tell, as the classic sample has it. */
const customerOrOrder: EntityResolver<{ customer: string } | { order: number }> = (_, rowKey) => {
  if (rowKey.startsWith('0001')) return { customer: rowKey.slice(5) }
  if (rowKey.startsWith('0002')) return { order: Number(rowKey.slice(5)) }
  throw new RangeError('unknown type')
}

describe('resolve', () => {
  it('R-97: makes of each row what its key tells', async () => {
    expect(await queryOn('a').resolve(customerOrOrder).toArray()).toEqual([
      { customer: 'Smith' },
      { order: 17 },
      { order: 18 },
    ])
  })

  it('R-97: raises on a row of an unknown type, and names it', async () => {
    await expect(queryOn('b').resolve(customerOrOrder).toArray()).rejects.toMatchObject({
      code: 'ResolverFailed',
      rowKey: '0003_x',
      cause: new RangeError('unknown type'),
    })
  })

  it('passes on undefined and null, also as the first row', async () => {
    expect(
      await queryOn('a')
        .resolve((_, rowKey) => (rowKey > '0002' ? null : undefined))
        .toArray(),
    ).toEqual([undefined, null, null])
    expect(
      await queryOn('a')
        .resolve(() => undefined)
        .first(),
    ).toBeUndefined()
  })

  it('goes with everything else that is said about a query', async () => {
    const resolved = queryOn('a').resolve((_, rowKey) => rowKey)
    expect(await resolved.take(2).select('n').toArray()).toEqual(['0001_Smith', '0002_17'])
    expect(await resolved.count()).toBe(3)
    expect((await resolved.byPage().next()).value?.items).toHaveLength(3)
    const all = bindQuery(dynamicQueryModel('store'), new TableSource(rows))
      .inPartitions(['b', 'a'])
      .resolve((partitionKey) => partitionKey)
    expect(await all.toArray()).toEqual(['a', 'a', 'a', 'b'])
  })

  it('filters entities when that is said before it, and what it made when after', async () => {
    const before = queryOn('a')
      .filterLocally((row) => row.rowKey > '0002')
      .resolve(customerOrOrder)
    expect(await before.toArray()).toEqual([{ order: 17 }, { order: 18 }])
    const after = before.filterLocally((row) => 'order' in row && row.order > 17)
    expect(await after.take(1).toArray()).toEqual([{ order: 18 }])
  })

  it('begins runs as the source does', async () => {
    const source = Object.assign(new TableSource(rows), { beginRun: () => ({ timeout: 7 }) })
    await bindQuery(dynamicQueryModel('store'), source)
      .where({ partitionKey: 'a' })
      .resolve(() => 1)
      .toArray()
    expect(source.questions[0]?.options.timeout).toBe(7)
  })

  it('refuses what is no function, and a source that has no entities', () => {
    for (const resolver of [undefined, null, 'x', {}]) {
      expect(() => queryOn('a').resolve(resolver as never)).toThrow(QueryError)
    }
    const plain = bindQuery(dynamicQueryModel('store'), new ArraySource([1]))
    expect(() => plain.resolve(() => 1)).toThrow(/no entities/)
  })
})
