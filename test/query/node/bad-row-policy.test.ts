import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { DecodeError, DynamicEntity, type EntityKey } from '@rowkey/odata'
import { bindQuery, dynamicQueryModel, type RawQuerySource } from '@rowkey/query'
import { tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gather } from '../run-of.ts'
import { keysOf, rowsAt, TableSource } from '../table-source.ts'

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
