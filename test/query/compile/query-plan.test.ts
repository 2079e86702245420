import { and, parseFilter, pointReadsOf } from '@rowkey/odata'
import { dynamicQueryModel, LIST_PRICE, planOf, priceOf, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { explainQuery } from '../../../packages/query/src/compile/query-plan.ts'
import { withChange } from '../../../packages/query/src/node/query-node.ts'
import { keyModel } from '../key/key-model.ts'
import { everything } from '../run-of.ts'

const SORTED = { readsByKey: true, isUnsorted: false }

const query = queryOf(dynamicQueryModel('people'))
describe('explain', () => {
  it('R-40: explains a query without a condition', () => {
    expect(query.explain()).toStrictEqual({
      plan: 'tableScan',
      comparisons: 0,
      reasons: ['Reads the whole table, since nothing bounds PartitionKey. Name a partition.'],
      requests: { least: 1 },
      dollars: { least: 3.6e-8 },
      warnings: ['The query is rejected unless you call .allowTableScan().'],
    })
    expect(query.allowTableScan().explain()).not.toHaveProperty('warnings')
  })

  it('R-40: explains any filter, also one from text', () => {
    const text = "PartitionKey eq 'Sales' and (RowKey eq '121' or RowKey eq '322')"
    expect(planOf(parseFilter(text))).toStrictEqual({
      plan: 'partitionScan',
      comparisons: 3,
      reasons: [
        expect.stringMatching(/^Reads the whole partition/),
        expect.stringMatching(/`or` does not bound RowKey: .*getMany/),
        'The filter names 2 entities by their whole keys: as many reads by key cost less.',
      ],
    })
    expect(query.where(parseFilter(text)!).explain()).toMatchObject(planOf(parseFilter(text)))
    expect(planOf(undefined).plan).toBe('tableScan')
  })

  it('warns about more comparisons than the service guarantees', () => {
    const ages = (count: number) =>
      Array.from({ length: count }, (_, age) => `age ne ${age}`).join(' and ')
    const scan = query.allowTableScan()
    expect(scan.where(parseFilter(ages(15))!).explain()).not.toHaveProperty('warnings')
    expect(scan.where(parseFilter(ages(16))!).explain()).toMatchObject({
      comparisons: 16,
      warnings: [expect.stringMatching(/16 comparisons.*guarantees only 15/)],
    })
  })

  it('shows what would be sent, and counts the comparisons', () => {
    const plan = query
      .where((c) => c.partitionKey!.eq('Sales').and(c.age!.between(18, 65), c.active!))
      .select('age')
      .take(5)
      .explain()
    expect(plan).toStrictEqual({
      plan: 'partitionScan',
      filter: "PartitionKey eq 'Sales' and age ge 18 and age le 65 and active",
      select: ['PartitionKey', 'RowKey', 'Timestamp', 'age'],
      top: 5,
      comparisons: 3,
      reasons: [
        expect.stringMatching(/^Reads the whole partition/),
        expect.stringMatching(/^Only the keys are indexed/),
      ],
      requests: { least: 1 },
      dollars: { least: 3.6e-8 },
    })
  })
})

it('explains reads by key, whatever the service would make of the filter', () => {
  const rowKeys = Array.from({ length: 20 }, (_, n) => `RowKey eq '${n}'`).join(' or ')
  const filter = parseFilter(`PartitionKey eq 'a' and (${rowKeys})`)
  const keys = pointReadsOf(filter) ?? []
  const plan = explainQuery(withChange(everything, { filter, take: 5 }), SORTED)
  expect(plan).toMatchObject({ plan: 'point', comparisons: 21, pointReads: keys })
  expect(plan.reasons).toEqual([
    'Reads 20 entities by their keys, up to 64 at once. By pages, it is one query with the plan partitionScan.',
  ])
  expect(plan).not.toHaveProperty('top')
  expect(plan).not.toHaveProperty('warnings')
})

it('warns of a local filter also for reads by key', () => {
  const filter = parseFilter("PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '2')")
  const node = withChange(everything, { filter, localTests: [() => true] })
  expect(explainQuery(node, SORTED).warnings).toEqual([
    expect.stringMatching(/^\.filterLocally drops rows after they were read/),
  ])
})

describe('the requests of a query', () => {
  const node = (text: string, take?: number) =>
    withChange(everything, { filter: parseFilter(text), take })
  const requests = (text: string, take?: number) => explainQuery(node(text, take), SORTED).requests
  const three = "PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '2' or RowKey eq '3')"

  it('are those of its keys, of one entity, of pages, or none', () => {
    expect(requests(three)).toEqual({ least: 3, most: 3 })
    expect(requests(three, 2)).toEqual({ least: 2, most: 3 })
    expect(requests("PartitionKey eq 'a' and RowKey eq '1'")).toEqual({ least: 1, most: 1 })
    expect(requests("PartitionKey eq 'a'")).toEqual({ least: 1 })
    expect(requests("PartitionKey eq 'a' and PartitionKey eq 'b'")).toEqual({ least: 0, most: 0 })
  })

  it('leave out the keys that no row has', () => {
    const text = "PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '2/3')"
    expect(requests(text)).toEqual({ least: 1, most: 1 })
    const anyKey = { ...SORTED, checkKey: () => {} }
    expect(explainQuery(node(text), anyKey).requests).toEqual({ least: 2, most: 2 })
  })

  it('are the sum of several queries, or those of the first with a limit', () => {
    const ranges = ["PartitionKey eq 'a'", "PartitionKey eq 'b'"].map((text) => parseFilter(text)!)
    const parallel = { ranges, concurrency: 2, order: 'keys' as const }
    const all = withChange(everything, { parallel })
    expect(explainQuery(all, SORTED).requests).toEqual({ least: 2 })
    expect(explainQuery(withChange(all, { take: 5 }), SORTED).requests).toEqual({ least: 1 })
    const points = ranges.map((range) => and(range, parseFilter("RowKey eq '1'")!))
    const one = withChange(all, { parallel: { ...parallel, ranges: points } })
    expect(explainQuery(one, SORTED).requests).toEqual({ least: 2, most: 2 })
  })

  it('have a price, except on Cosmos DB', () => {
    expect(explainQuery(node(three), SORTED).dollars).toEqual({ least: 1.08e-7, most: 1.08e-7 })
    expect(priceOf(LIST_PRICE.requests)).toBe(LIST_PRICE.dollars)
    const cosmos = explainQuery(node(three), { readsByKey: true, isUnsorted: true })
    expect(cosmos).not.toHaveProperty('dollars')
    expect(cosmos.requests).toEqual({ least: 3, most: 3 })
  })
})

it('explains a read of one entity, and a contradiction', () => {
  const reasons = (text: string) =>
    explainQuery(withChange(everything, { filter: parseFilter(text) }), SORTED).reasons.join()
  const one = "PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '1')"
  expect(reasons(one)).toMatch(/^Reads one entity by its key\./)
  const none = "PartitionKey eq 'a' and RowKey eq '3' and (RowKey eq '1' or RowKey eq '2')"
  expect(reasons(`${none} or PartitionKey eq 'a' and RowKey eq '1' and RowKey eq '2'`)).toMatch(
    /^Sends nothing, since no row can match/,
  )
})

function plansOf(...texts: string[]) {
  const ranges = texts.map((text) => parseFilter(text) ?? expect.unreachable())
  const parallel = { ranges, concurrency: 2, order: 'arrival' as const }
  return explainQuery(withChange(everything, { parallel, take: 5 }), SORTED)
}

it('explains each of several queries, and has the most expensive plan as its own', () => {
  const plan = plansOf("PartitionKey eq 'a' and RowKey eq 'b'", "PartitionKey ge 'a' and n gt 1")
  expect(plan).toMatchObject({ plan: 'tableRange', comparisons: 2, top: 5 })
  expect(plan.queries?.map((query) => query.plan)).toEqual(['tableRange', 'point'])
  expect(plan.reasons[0]).toBe('Runs 2 queries, up to 2 at once; rows come as they arrive.')
})

it('gives each reason once', () => {
  const { reasons } = plansOf("PartitionKey eq 'a'", "PartitionKey eq 'b'")
  expect(new Set(reasons).size).toBe(reasons.length)
})

it('explains a query without any range as a point', () => {
  expect(plansOf()).toMatchObject({ plan: 'point', comparisons: 0, queries: [] })
})

it('gives each warning of its queries once', () => {
  const ranges = ["PartitionKey eq 'a'", "PartitionKey eq 'b'"].map((text) => parseFilter(text)!)
  const parallel = { ranges, concurrency: 2, order: 'keys' as const }
  const node = withChange(everything, { parallel, scans: 'none', localTests: [() => true] })
  expect(explainQuery(node, SORTED).warnings).toEqual([
    'The query is rejected unless you call .allowPartitionScan().',
    expect.stringMatching(/^\.filterLocally drops rows/),
  ])
  expect(plansOf("PartitionKey eq 'a'")).not.toHaveProperty('warnings')
})

it('explains ranges that add a part of the key', () => {
  const filter = parseFilter("city eq 'Kent'")!
  const ranges = ["state eq 'WA'", "state eq 'OR'"].map((text) => parseFilter(text)!)
  const parallel = { ranges, concurrency: 2, order: 'keys' as const }
  const plan = explainQuery(withChange(everything, { model: keyModel, filter, parallel }), SORTED)
  expect(plan).not.toHaveProperty('filter')
  expect(plan.queries?.map((query) => query.filter)).toEqual([
    "PartitionKey eq 'OR;Kent' and RowKey ge 'o_' and RowKey lt 'o`'",
    "PartitionKey eq 'WA;Kent' and RowKey ge 'o_' and RowKey lt 'o`'",
  ])
})

describe('the plan on Cosmos DB', () => {
  const UNSORTED = { readsByKey: true, isUnsorted: true }
  const reasons = (text: string) =>
    explainQuery(withChange(everything, { filter: parseFilter(text) }), UNSORTED).reasons.join(' ')

  it('R-177: says that rows are not sorted, except where there is only one', () => {
    expect(reasons("PartitionKey eq 'a'")).toContain('Cosmos DB does not sort rows')
    expect(reasons("PartitionKey eq 'a' and RowKey eq 'b'")).not.toContain('sort')
  })

  it('R-177: says that all properties are indexed', () => {
    const text = reasons("PartitionKey eq 'a' and n gt 1")
    expect(text).toContain('Cosmos DB indexes all properties')
    expect(text).not.toContain('Only the keys are indexed')
  })

  it('says that no row matches by its Timestamp', () => {
    const filter = parseFilter(
      "PartitionKey eq 'a' and not (Timestamp ge datetime'2020-01-01T00:00:00Z')",
    )
    const plan = explainQuery(withChange(everything, { filter }), UNSORTED)
    expect(plan.warnings).toEqual([
      expect.stringMatching(/^Cosmos DB matches no row by its Timestamp/),
    ])
    expect(explainQuery(withChange(everything, { filter }), SORTED)).not.toHaveProperty('warnings')
  })

  it('R-177: says that several queries are sorted here', () => {
    const range = parseFilter("PartitionKey eq 'a'")!
    const parallel = { ranges: [range], concurrency: 8, order: 'keys' } as const
    const plan = explainQuery(withChange(everything, { parallel }), UNSORTED)
    expect(plan.reasons.join(' ')).toContain('each query is read to its end')
    const arriving = { ...parallel, order: 'arrival' } as const
    const other = explainQuery(withChange(everything, { parallel: arriving }), UNSORTED)
    expect(other.reasons.join(' ')).not.toContain('each query is read to its end')
  })
})
