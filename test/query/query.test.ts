import { constant, DynamicEntity, EntityProperty, evaluateFilter, parseFilter } from '@rowkey/odata'
import {
  bindQuery,
  type CompiledQuery,
  dynamicQueryModel,
  gt,
  NoRowError,
  Query,
  type QueryPage,
  type QuerySource,
  startsWith,
} from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { tableScan } from '../support/rejections.ts'
import { ArraySource } from './array-source.ts'
import { Customer, customerModel } from './customer.ts'

const named = (firstName: string): Customer =>
  Object.assign(new Customer(), { lastName: 'Smith', firstName })
const [ann, ben, cat, dan, eve] = ['Ann', 'Ben', 'Cat', 'Dan', 'Eve'].map(named) as [
  Customer,
  Customer,
  Customer,
  Customer,
  Customer,
]

/** A source that evaluates the text of the filter. */
class FilteringSource implements QuerySource<DynamicEntity> {
  readonly #entities: readonly DynamicEntity[]

  constructor(entities: readonly DynamicEntity[]) {
    this.#entities = entities
  }

  async fetchPage({ filter = '' }: CompiledQuery): Promise<QueryPage<DynamicEntity>> {
    const node = parseFilter(filter) ?? constant(true)
    const items = this.#entities.filter((entity) =>
      evaluateFilter(node, (name) => propertyOf(entity, name)),
    )
    return { items }
  }
}

function propertyOf(entity: DynamicEntity, name: string): EntityProperty | undefined {
  if (name === 'PartitionKey') return EntityProperty.string(entity.partitionKey)
  return name === 'RowKey' ? EntityProperty.string(entity.rowKey) : entity.get(name)
}

/** Smiths on four pages, one of them empty. */
function smiths() {
  const source = new ArraySource([ann, ben], [], [cat, dan], [eve])
  return { source, query: bindQuery(customerModel, source).where({ lastName: 'Smith' }) }
}

describe('Query', () => {
  it('R-35: iterates over rows across all pages', async () => {
    const { query } = smiths()
    const names: string[] = []
    for await (const { firstName } of query) names.push(firstName)
    expect(names).toEqual(['Ann', 'Ben', 'Cat', 'Dan', 'Eve'])
  })

  it('R-35: iterates over pages', async () => {
    const { query } = smiths()
    const sizes: number[] = []
    for await (const { items } of query.pageSize(2).byPage()) sizes.push(items.length)
    expect(sizes).toEqual([2, 0, 2, 1])
  })

  it('R-35: continues from a token that was stored as text', async () => {
    const { query, source } = smiths()
    const first = await query.byPage().next()
    const saved: { token: string } = JSON.parse(
      JSON.stringify({ token: first.value?.continuationToken }),
    )
    const rest: Customer[] = []
    for await (const { items } of query.byPage({ continuationToken: saved.token }))
      rest.push(...items)
    expect(rest).toEqual([cat, dan, eve])
    expect(source.calls[1]?.page.continuationToken).toBe(saved.token)
  })

  it('R-33: repeats filter, select and top on every page', async () => {
    const { query, source } = smiths()
    await query
      .where({ points: gt(100n) })
      .select('age')
      .take(4)
      .toArray()
    expect(source.calls).toHaveLength(3)
    for (const call of source.calls) {
      expect(call.query).toEqual({
        filter: "PartitionKey eq 'Smith' and points gt 100L",
        select: ['PartitionKey', 'RowKey', 'Timestamp', 'age'],
        top: 4,
      })
    }
  })

  it('R-34: limits the total by take over short and empty pages, and not by pageSize', async () => {
    const { query, source } = smiths()
    expect(await query.take(3).toArray()).toEqual([ann, ben, cat])
    expect(source.calls).toHaveLength(3)
    expect(await query.take(2).toArray()).toEqual([ann, ben])
    expect(source.calls).toHaveLength(4)
    expect(await query.pageSize(2).toArray()).toHaveLength(5)
  })

  it('fetches no page after the loop is left, and cancels the pending one', async () => {
    const { query, source } = smiths()
    for await (const customer of query) if (customer === ben) break
    expect(source.calls).toHaveLength(2)
    expect(source.calls[1]?.options.signal?.aborted).toBe(true)
    for await (const customer of query.prefetch(false)) if (customer === ben) break
    expect(source.calls).toHaveLength(3)
  })

  it('runs again each time', async () => {
    const { query, source } = smiths()
    expect(await query.toArray()).toEqual(await query.toArray())
    expect(source.calls).toHaveLength(8)
  })

  it('finds the first row behind an empty page, with a $top of 1', async () => {
    const source = new ArraySource([], [cat, dan])
    const query = bindQuery(customerModel, source).where({ lastName: 'Smith' })
    expect(await query.pageSize(50).first()).toBe(cat)
    expect(await query.firstOrUndefined()).toBe(cat)
    expect(source.calls.map((call) => call.query.top)).toEqual([1, 1, 1, 1])
  })

  it('returns undefined for the first row of an empty result', async () => {
    const none = bindQuery(customerModel, new ArraySource<Customer>([], []))
    expect(await none.where({ lastName: 'Smith' }).firstOrUndefined()).toBeUndefined()
  })

  it('names the query without a first row', async () => {
    const none = bindQuery(customerModel, new ArraySource<Customer>([], []))
    const error = await none
      .where({ lastName: 'Smith' })
      .first()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(NoRowError)
    expect(error).toMatchObject({
      model: 'Customer',
      filter: "PartitionKey eq 'Smith'",
      message:
        "The query on Customer has no first row. No row matches: PartitionKey eq 'Smith'. Use .firstOrUndefined() where there may be no row.",
    })
    await expect(none.allowTableScan().first()).rejects.toThrow(/The table is empty\./)
  })

  it('R-39: counts rows over all pages by their PartitionKeys alone', async () => {
    const { query, source } = smiths()
    expect(await query.select('age').count()).toBe(5)
    expect(source.calls).toHaveLength(4)
    for (const call of source.calls) expect(call.query.select).toEqual(['PartitionKey'])
    expect(await query.take(3).count()).toBe(3)
    expect(await query.pageSize(2).count()).toBe(5)
  })

  it('rejects a prefetch that is not a boolean', () => {
    const { query } = smiths()
    expect(() => query.prefetch(2 as never)).toThrow(
      /^The argument of \.prefetch on Customer must be true or false; got 2\.$/,
    )
  })

  it('passes the options of the run to the source, without the token', async () => {
    const { query, source } = smiths()
    const options = { signal: new AbortController().signal, timeout: 500 }
    await query.byPage({ ...options, continuationToken: '3' }).next()
    expect(source.calls).toEqual([
      { query: query.compile(), page: { projected: false, continuationToken: '3' }, options },
    ])
    await query.first(options)
    expect(source.calls[1]?.options).toEqual(options)
  })

  it('ends with the reason of the signal', async () => {
    const { query, source } = smiths()
    const controller = new AbortController()
    const pages = query.byPage({ signal: controller.signal })
    await pages.next()
    controller.abort(new RangeError('enough'))
    await expect(pages.next()).rejects.toThrow('enough')
    expect(source.calls).toHaveLength(1)
  })

  it('R-40: rejects a table scan, and shows the filter and both ways out', async () => {
    const source = new ArraySource([ann])
    const scan = bindQuery(customerModel, source).where({ points: gt(100n) })
    const refused = await scan.toArray().catch((error: unknown) => error)
    expect(refused).toEqual(tableScan)
    expect(refused).toMatchObject({
      details: { model: 'Customer', filter: 'points gt 100L' },
      message:
        'The query on Customer does not bound PartitionKey, so the service would read the whole table. Its filter is: points gt 100L. Add a condition on PartitionKey that must always hold, or allow it with .allowTableScan().',
    })
    await expect(bindQuery(customerModel, source).first()).rejects.toThrow(/It has no condition\./)
    expect(source.calls).toHaveLength(0)
    expect(await scan.allowTableScan().toArray()).toEqual([ann])
  })

  it('stays a Query through every method', () => {
    const { query } = smiths()
    const all = [
      query.where({ age: 30 }),
      query.select('age'),
      query.take(1),
      query.pageSize(1),
      query.allowTableScan(),
      query.prefetch(false),
    ]
    for (const next of all) expect(next).toBeInstanceOf(Query)
  })

  it('queries rows without a declaration', async () => {
    const source = new ArraySource([{ anything: 1 }])
    const query = bindQuery(dynamicQueryModel('people'), source).where({
      partitionKey: 'Smith',
      age: gt(30),
    })
    expect(await query.select('anything').toArray()).toEqual([{ anything: 1 }])
    expect(source.calls[0]?.query.filter).toBe("PartitionKey eq 'Smith' and age gt 30")
  })

  it('finds exactly the rows that meet the condition', async () => {
    const people = ['Smith:Ann:41', 'Smith:Ben:17', 'Smythe:Cat:30', 'Snow:Dan:30'].map((text) => {
      const [lastName = '', firstName = '', age] = text.split(':')
      return new DynamicEntity(lastName, firstName, { age: Number(age) })
    })
    const query = bindQuery(dynamicQueryModel('people'), new FilteringSource(people))
      .where({ partitionKey: startsWith('Sm') })
      .where((c) => c.age!.ge(18).and(c.rowKey!.eq('Cat').not()))
    expect(await query.toArray()).toEqual([people[0]])
  })
})

const threePages = () => new ArraySource([1, 2], [3], [4])
const queryOn = (source: ArraySource<number>) =>
  bindQuery(dynamicQueryModel('people'), source).allowTableScan()

describe('forEach', () => {
  it('R-141: calls a function with each row, 8 at a time by default', async () => {
    let pending = 0
    const most: number[] = []
    const rows = Array.from({ length: 20 }, (_, row) => row)
    const handled = async (concurrency?: number) => {
      let peak = 0
      await queryOn(new ArraySource(rows)).forEach(
        async () => {
          peak = Math.max(peak, ++pending)
          await new Promise<void>((resolve) => setImmediate(resolve))
          pending--
        },
        concurrency === undefined ? undefined : { concurrency },
      )
      most.push(peak)
    }
    await handled()
    await handled(3)
    await handled(100)
    expect(most).toEqual([8, 3, 20])
  })

  it('passes the other options to the source, and respects the limit', async () => {
    const source = new ArraySource([1, 2], [3, 4])
    const seen: number[] = []
    await queryOn(source)
      .take(3)
      .forEach(
        async (row) => {
          seen.push(row)
        },
        { concurrency: 1, timeout: 5 },
      )
    expect(seen).toEqual([1, 2, 3])
    expect(source.calls[0]?.options).toMatchObject({ timeout: 5 })
    expect(source.calls[0]?.options).not.toHaveProperty('concurrency')
  })
})

describe('a run of a query', () => {
  it('fetches ahead for rows, and for pages only with prefetch', async () => {
    const source = threePages()
    for await (const _row of queryOn(source)) break
    expect(source.calls).toHaveLength(2)
    const pages = threePages()
    await queryOn(pages).byPage().next()
    expect(pages.calls).toHaveLength(1)
    const ahead = threePages()
    await queryOn(ahead).prefetch(true).byPage().next()
    expect(ahead.calls).toHaveLength(2)
  })

  it('yields rows with the options of a run, also of several queries at once', async () => {
    const seen: number[] = []
    const controller = new AbortController()
    const source = threePages()
    const rows = queryOn(source).rows({ signal: controller.signal })
    await expect(async () => {
      for await (const row of rows) {
        seen.push(row)
        controller.abort(new RangeError('enough'))
      }
    }).rejects.toThrow('enough')
    expect(seen).toEqual([1, 2])
    const both = queryOn(threePages()).inPartitions(['a', 'b'], { order: 'arrival' })
    const stopped = both.rows({ signal: AbortSignal.abort(new RangeError('before')) })
    await expect(stopped.next()).rejects.toThrow('before')
  })

  it('fetches no page ahead for the first row', async () => {
    const source = threePages()
    expect(await queryOn(source).first()).toBe(1)
    expect(source.calls).toHaveLength(1)
  })

  it('counts the rows that a local filter keeps', async () => {
    const even = queryOn(threePages()).filterLocally((row) => row % 2 === 0)
    expect(await even.count()).toBe(2)
  })
})
