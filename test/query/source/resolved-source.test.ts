import { DecodeError, DynamicEntity } from '@rowkey/odata'
import { bindQuery, dynamicQueryModel, type EntityResolver, resolveEntity } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { invalidQuery } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { rowsAt, TableSource } from '../table-source.ts'

const entity = Object.assign(new DynamicEntity('Smith', 'Jeff', { points: 5n }), {
  etag: 'W/"1"',
  timestamp: new Date(0),
})

it('R-97: passes the key, the Timestamp, the typed properties and the ETag to a resolver', () => {
  const parts = resolveEntity((...all) => all, entity, 'people')
  expect(parts).toEqual(['Smith', 'Jeff', new Date(0), entity.properties, 'W/"1"'])
})

it.each([undefined, null, '', 0])('returns %s as it is', (result) => {
  expect(resolveEntity(() => result, entity, 'people')).toBe(result)
})

it('R-97: names the row on which a resolver throws, with what it threw as the cause', () => {
  const cause = new RangeError('unknown type')
  const act = () =>
    resolveEntity(
      () => {
        throw cause
      },
      entity,
      'people',
    )
  expect(act).toThrow(DecodeError)
  expect(act).toThrow('The resolver threw on the row ["Smith","Jeff"] of people: unknown type')
  expect(act).toThrow(
    expect.objectContaining({
      code: 'ResolverFailed',
      cause,
      details: { partitionKey: 'Smith', rowKey: 'Jeff' },
    }),
  )
})

const rows = rowsAt('a/0001_Smith', 'a/0002_17', 'a/0002_18', 'b/0003_x')
const queryOn = (partitionKey: string) =>
  bindQuery(dynamicQueryModel('store'), new TableSource(rows)).where({ partitionKey })

/** Decides by the first four digits of the RowKey, as the classic sample does. */
const customerOrOrder: EntityResolver<{ customer: string } | { order: number }> = (_, rowKey) => {
  if (rowKey.startsWith('0001')) return { customer: rowKey.slice(5) }
  if (rowKey.startsWith('0002')) return { order: Number(rowKey.slice(5)) }
  throw new RangeError('unknown type')
}

describe('resolve', () => {
  it('R-97: maps each row by its key', async () => {
    expect(await queryOn('a').resolve(customerOrOrder).toArray()).toEqual([
      { customer: 'Smith' },
      { order: 17 },
      { order: 18 },
    ])
  })

  it('R-97: throws on a row of an unknown type, and names it', async () => {
    await expect(queryOn('b').resolve(customerOrOrder).toArray()).rejects.toMatchObject({
      code: 'ResolverFailed',
      details: { partitionKey: 'b', rowKey: '0003_x' },
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

  it('combines with everything else that refines a query', async () => {
    const resolved = queryOn('a').resolve((_, rowKey) => rowKey)
    expect(await resolved.take(2).select('n').toArray()).toEqual(['0001_Smith', '0002_17'])
    expect(await resolved.count()).toBe(3)
    expect((await resolved.byPage().next()).value?.items).toHaveLength(3)
    const all = bindQuery(dynamicQueryModel('store'), new TableSource(rows))
      .inPartitions(['b', 'a'])
      .resolve((partitionKey) => partitionKey)
    expect(await all.toArray()).toEqual(['a', 'a', 'a', 'b'])
  })

  it('filters entities before it, and results after it', async () => {
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

  it('rejects a resolver that is not a function, and a source without entities', () => {
    for (const resolver of [undefined, null, 'x', {}]) {
      expect(() => queryOn('a').resolve(resolver as never)).toThrow(invalidQuery)
    }
    const plain = bindQuery(dynamicQueryModel('store'), new ArraySource([1]))
    expect(() => plain.resolve(() => 1)).toThrow(/needs entities/)
  })
})
