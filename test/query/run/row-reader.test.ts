import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { DecodeError, DynamicEntity, type EntityKey } from '@rowkey/odata'
import {
  bindQuery,
  dynamicQueryModel,
  type EntityResolver,
  type QueryOptions,
  type RawQuerySource,
  resolveEntity,
} from '@rowkey/query'
import { tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rowReading } from '../../../packages/query/src/run/row-reader.ts'
import { invalidQuery } from '../../support/rejections.ts'
import { ArraySource } from '../array-source.ts'
import { gather, runOf } from '../run-of.ts'
import { keysOf, rowsAt, TableSource } from '../table-source.ts'

it('reads rows through the source, which learns of a projection', () => {
  const source: RawQuerySource<string, QueryOptions, number> = {
    fetchPage: async () => ({ items: [1] }),
    findRow: async () => undefined,
    readRow: (raw, { projected }) => `${raw} ${projected}`,
    keyOf: () => ({ partitionKey: '', rowKey: '' }),
    entityOf: () => new DynamicEntity('', ''),
  }
  expect(rowReading(runOf(source)).read(1)).toBe('1 false')
  expect(rowReading(runOf(source, { select: ['age'] })).read(1)).toBe('1 true')
})

it('returns the fetched row of a source that reads nothing', () => {
  const row = {}
  expect(rowReading(runOf(new ArraySource([row]))).read(row)).toBe(row)
})

/** A table with some rows that cannot be read. */
class BadRows extends TableSource implements RawQuerySource<DynamicEntity, object, DynamicEntity> {
  readonly table = 'people'

  override readRow(row: DynamicEntity): DynamicEntity {
    if (row.rowKey.startsWith('bad')) throw new RangeError('age is not a number')
    return row
  }

  override entityOf(row: DynamicEntity): DynamicEntity {
    return this.readRow(row)
  }

  override keyOf(row: DynamicEntity): EntityKey {
    return super.keyOf(row)
  }
}

const rows = rowsAt('a/1', 'a/bad2', 'a/3', 'b/bad1', 'b/2', 'b/3')
const good = ['a/1', 'a/3', 'b/2', 'b/3']
const queryOn = (pageSize = 3) =>
  bindQuery(dynamicQueryModel('Person'), new BadRows(rows, { pageSize })).allowTableScan()

describe('a row that cannot be read', () => {
  it('ends the run with an error that names the table and the key', async () => {
    const error = await queryOn()
      .toArray()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DecodeError)
    expect(error).toMatchObject({
      code: 'UnreadableRow',
      message: 'age is not a number (entity ["a","bad2"] of table people)',
      details: { table: 'people', partitionKey: 'a', rowKey: 'bad2' },
      cause: new RangeError('age is not a number'),
    })
    await expect(queryOn().onBadRow('throw').toArray()).rejects.toThrow(DecodeError)
  })

  it('is left out by skip, in every way to run a query', async () => {
    const query = queryOn().onBadRow('skip')
    expect(keysOf(await query.toArray())).toEqual(good)
    expect(keysOf(await gather(query))).toEqual(good)
    const handled: string[] = []
    await query.forEach(async (row) => void handled.push(...keysOf([row])), { concurrency: 1 })
    expect(handled).toEqual(good)
    const pages = await gather(query.byPage())
    expect(pages.map(({ items }) => keysOf(items))).toEqual([
      ['a/1', 'a/3'],
      ['b/2', 'b/3'],
    ])
    expect(keysOf([await query.where({ partitionKey: 'b' }).first()])).toEqual(['b/2'])
    for (const order of ['keys', 'arrival'] as const) {
      const parallel = query.inPartitions(['a', 'b'], { order })
      expect(keysOf(await parallel.toArray()).toSorted()).toEqual(good)
    }
    const named = query.where((c) => c.partitionKey!.eq('b').and(c.rowKey!.in(['bad1', '2'])))
    expect(keysOf(await named.toArray())).toEqual(['b/2'])
    expect(await query.resolve((pk, rk) => `${pk}/${rk}`).toArray()).toEqual(good)
    expect(keysOf(await query.filterLocally((row) => row.rowKey !== '3').toArray())).toEqual([
      'a/1',
      'b/2',
    ])
  })

  it('does not count against a limit or the size of a page', async () => {
    const query = queryOn(2).onBadRow('skip')
    expect(keysOf(await query.take(3).toArray())).toEqual(['a/1', 'a/3', 'b/2'])
    const first = await query.page({ size: 3 })
    expect(keysOf(first.items)).toEqual(['a/1', 'a/3', 'b/2'])
    expect(await query.page({ size: 3, token: first.next })).toMatchObject({ items: [rows[5]] })
  })

  it('is handed to a function, which is awaited', async () => {
    const seen: unknown[] = []
    const query = queryOn().onBadRow(async ({ details }) => {
      await new Promise<void>((resolve) => setImmediate(resolve))
      seen.push(details.rowKey)
    })
    expect(keysOf(await query.toArray())).toEqual(good)
    expect(seen).toEqual(['bad2', 'bad1'])
  })

  it('ends the run with what the function throws', async () => {
    const query = queryOn().onBadRow(() => {
      throw new TypeError('enough')
    })
    await expect(query.toArray()).rejects.toThrow(new TypeError('enough'))
  })

  it('does not skip what a filter function throws', async () => {
    const query = queryOn()
      .onBadRow('skip')
      .filterLocally(() => {
        throw new TypeError('a mistake in the filter')
      })
    await expect(query.toArray()).rejects.toThrow('a mistake in the filter')
    const undecided = queryOn()
      .onBadRow('skip')
      .filterLocally(() => 1 as never)
      .resolve((pk) => pk)
    await expect(undecided.toArray()).rejects.toMatchObject({ code: 'InvalidQuery' })
  })

  it.each([undefined, null, 'ignore', 7])('is not handled by a policy of %j', (policy) => {
    expect(() => queryOn().onBadRow(policy as never)).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
  })

  it('names its property when the stored type does not fit the model', async () => {
    const local = localTableService()
    const account = new Account(
      tableService({ connectionString: local.connectionString(), transport: local.transport }),
    )
    const Person = defineEntity({
      name: 'people',
      partitionKey: key`${'team'}`,
      rowKey: key`${'name'}`,
      schema: z.object({ team: z.string(), name: z.string(), age: z.number().int() }),
    })
    const people = account.table(Person)
    await people.create()
    for (const [name, age] of [
      ['Ann', 31],
      ['Methuselah', 'old'],
      ['Ben', 17],
    ] as const) {
      await account.table('people').insert(new DynamicEntity('x', name, { age }))
    }
    const errors: DecodeError[] = []
    const query = people
      .query()
      .where({ team: 'x' })
      .onBadRow((error) => errors.push(error))
    expect((await query.toArray()).map(({ name }) => name)).toEqual(['Ann', 'Ben'])
    expect(errors).toEqual([expect.any(DecodeError)])
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/age.*\["x","Methuselah"\] of table people/s),
      details: {
        table: 'people',
        partitionKey: 'x',
        rowKey: 'Methuselah',
        property: expect.stringMatching(/age$/),
      },
    })
    await account.close()
    await local.close()
  })
})

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

const stored = rowsAt('a/0001_Smith', 'a/0002_17', 'a/0002_18', 'b/0003_x')
const queryIn = (partitionKey: string) =>
  bindQuery(dynamicQueryModel('store'), new TableSource(stored)).where({ partitionKey })

/** Decides by the first four digits of the RowKey, as the classic sample does. */
const customerOrOrder: EntityResolver<{ customer: string } | { order: number }> = (_, rowKey) => {
  if (rowKey.startsWith('0001')) return { customer: rowKey.slice(5) }
  if (rowKey.startsWith('0002')) return { order: Number(rowKey.slice(5)) }
  throw new RangeError('unknown type')
}

describe('resolve', () => {
  it('R-97: maps each row by its key', async () => {
    expect(await queryIn('a').resolve(customerOrOrder).toArray()).toEqual([
      { customer: 'Smith' },
      { order: 17 },
      { order: 18 },
    ])
  })

  it('R-97: throws on a row of an unknown type, and names it', async () => {
    await expect(queryIn('b').resolve(customerOrOrder).toArray()).rejects.toMatchObject({
      code: 'ResolverFailed',
      details: { partitionKey: 'b', rowKey: '0003_x' },
      cause: new RangeError('unknown type'),
    })
  })

  it('passes on undefined and null, also as the first row', async () => {
    expect(
      await queryIn('a')
        .resolve((_, rowKey) => (rowKey > '0002' ? null : undefined))
        .toArray(),
    ).toEqual([undefined, null, null])
    expect(
      await queryIn('a')
        .resolve(() => undefined)
        .first(),
    ).toBeUndefined()
  })

  it('combines with everything else that refines a query', async () => {
    const resolved = queryIn('a').resolve((_, rowKey) => rowKey)
    expect(await resolved.take(2).select('n').toArray()).toEqual(['0001_Smith', '0002_17'])
    expect(await resolved.count()).toBe(3)
    expect((await resolved.byPage().next()).value?.items).toHaveLength(3)
    const all = bindQuery(dynamicQueryModel('store'), new TableSource(stored))
      .inPartitions(['b', 'a'])
      .resolve((partitionKey) => partitionKey)
    expect(await all.toArray()).toEqual(['a', 'a', 'a', 'b'])
  })

  it('filters entities before it, and results after it', async () => {
    const before = queryIn('a')
      .filterLocally((row) => row.rowKey > '0002')
      .resolve(customerOrOrder)
    expect(await before.toArray()).toEqual([{ order: 17 }, { order: 18 }])
    const after = before.filterLocally((row) => 'order' in row && row.order > 17)
    expect(await after.take(1).toArray()).toEqual([{ order: 18 }])
  })

  it('begins runs as the source does', async () => {
    const source = Object.assign(new TableSource(stored), { beginRun: () => ({ timeout: 7 }) })
    await bindQuery(dynamicQueryModel('store'), source)
      .where({ partitionKey: 'a' })
      .resolve(() => 1)
      .toArray()
    expect(source.questions[0]?.options.timeout).toBe(7)
  })

  it('rejects a resolver that is not a function, and a source without entities', () => {
    for (const resolver of [undefined, null, 'x', {}]) {
      expect(() => queryIn('a').resolve(resolver as never)).toThrow(invalidQuery)
    }
    const plain = bindQuery(dynamicQueryModel('store'), new ArraySource([1]))
    expect(() => plain.resolve(() => 1)).toThrow(/needs entities/)
  })
})
