import { constant, DynamicEntity, EntityProperty, evaluateFilter, parseFilter } from '@rowkey/odata'
import {
  BoundQuery,
  bindQuery,
  type CompiledQuery,
  dynamicQueryModel,
  gt,
  NoRowError,
  type QueryPage,
  type QuerySource,
  startsWith,
  TableScanError,
} from '@rowkey/query'
import { describe, expect, it } from 'vitest'
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

/** Entities that are looked through by the very text of the filter. */
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

describe('BoundQuery', () => {
  it('R-35: is iterated row by row over all pages', async () => {
    const { query } = smiths()
    const names: string[] = []
    for await (const { firstName } of query) names.push(firstName)
    expect(names).toEqual(['Ann', 'Ben', 'Cat', 'Dan', 'Eve'])
  })

  it('R-35: is iterated page by page', async () => {
    const { query } = smiths()
    const sizes: number[] = []
    for await (const { items } of query.pageSize(2).byPage()) sizes.push(items.length)
    expect(sizes).toEqual([2, 0, 2, 1])
  })

  it('R-35: goes on from a token that was kept as text', async () => {
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

  it('R-34: takes a total over short and empty pages, and pageSize limits no total', async () => {
    const { query, source } = smiths()
    expect(await query.take(3).toArray()).toEqual([ann, ben, cat])
    expect(source.calls).toHaveLength(3)
    expect(await query.take(2).toArray()).toEqual([ann, ben])
    expect(source.calls).toHaveLength(4)
    expect(await query.pageSize(2).toArray()).toHaveLength(5)
  })

  it('asks for no page after the loop is left, and gives up the one under way', async () => {
    const { query, source } = smiths()
    for await (const customer of query) if (customer === ben) break
    expect(source.calls).toHaveLength(2)
    expect(source.calls[1]?.options.signal?.aborted).toBe(true)
    for await (const customer of query.prefetch(false)) if (customer === ben) break
    expect(source.calls).toHaveLength(3)
  })

  it('runs anew each time', async () => {
    const { query, source } = smiths()
    expect(await query.toArray()).toEqual(await query.toArray())
    expect(source.calls).toHaveLength(8)
  })

  it('finds the first row behind an empty page, asking for one', async () => {
    const source = new ArraySource([], [cat, dan])
    const query = bindQuery(customerModel, source).where({ lastName: 'Smith' })
    expect(await query.pageSize(50).first()).toBe(cat)
    expect(await query.firstOrUndefined()).toBe(cat)
    expect(source.calls.map((call) => call.query.top)).toEqual([1, 1, 1, 1])
  })

  it('gives undefined for the first of nothing', async () => {
    const none = bindQuery(customerModel, new ArraySource<Customer>([], []))
    expect(await none.where({ lastName: 'Smith' }).firstOrUndefined()).toBeUndefined()
  })

  it('names the query that has no first row', async () => {
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
        "The query on Customer has no first row. None matches: PartitionKey eq 'Smith'. Ask with firstOrUndefined() where that may be.",
    })
    await expect(none.allowTableScan().first()).rejects.toThrow(/It has no row\./)
  })

  it('R-39: counts rows over all pages, asking for their PartitionKeys alone', async () => {
    const { query, source } = smiths()
    expect(await query.select('age').count()).toBe(5)
    expect(source.calls).toHaveLength(4)
    for (const call of source.calls) expect(call.query.select).toEqual(['PartitionKey'])
    expect(await query.take(3).count()).toBe(3)
    expect(await query.pageSize(2).count()).toBe(5)
  })

  it('refuses a prefetch that is neither on nor off', () => {
    const { query } = smiths()
    expect(() => query.prefetch(2 as never)).toThrow(
      /\.prefetch\(2\) on Customer: give true or false/,
    )
  })

  it('gives the source the options of the run, and keeps the token from them', async () => {
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

  it('R-40: refuses a table scan, with the filter and both ways out', async () => {
    const source = new ArraySource([ann])
    const scan = bindQuery(customerModel, source).where({ points: gt(100n) })
    const refused = await scan.toArray().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(TableScanError)
    expect(refused).toMatchObject({
      filter: 'points gt 100L',
      message:
        'The query on Customer sets no bounds to PartitionKey, so the service would read the whole table. Its filter is: points gt 100L. Add a condition on PartitionKey that must always hold, or call .allowTableScan() to mean it.',
    })
    await expect(bindQuery(customerModel, source).first()).rejects.toThrow(/It has no condition\./)
    expect(source.calls).toHaveLength(0)
    expect(await scan.allowTableScan().toArray()).toEqual([ann])
  })

  it('stays bound through every method', () => {
    const { query } = smiths()
    const all = [
      query.where({ age: 30 }),
      query.select('age'),
      query.take(1),
      query.pageSize(1),
      query.allowTableScan(),
      query.prefetch(false),
    ]
    for (const next of all) expect(next).toBeInstanceOf(BoundQuery)
  })

  it('queries rows that nobody declared', async () => {
    const source = new ArraySource([{ anything: 1 }])
    const query = bindQuery(dynamicQueryModel('people'), source).where({
      partitionKey: 'Smith',
      age: gt(30),
    })
    expect(await query.select('anything').toArray()).toEqual([{ anything: 1 }])
    expect(source.calls[0]?.query.filter).toBe("PartitionKey eq 'Smith' and age gt 30")
  })

  it('comes to exactly the rows that the condition is true of', async () => {
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
