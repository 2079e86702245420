import { comparison, literalOf, parseFilter, printFilter } from '@rowkey/odata'
import { dynamicQueryModel, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import {
  compileQuery,
  queryNode,
  rangeNodes,
  withChange,
  withFilter,
} from '../../../packages/query/src/node/query-node.ts'
import { customerModel } from '../customer.ts'
import { keyModel } from '../key/key-model.ts'
import { everything } from '../run-of.ts'

const age = comparison('age', 'gt', literalOf(30))
const active = comparison('active', 'eq', literalOf(true))

describe('a query node', () => {
  it('is frozen at every step', () => {
    const steps = [queryNode(customerModel), withChange(queryNode(customerModel), { take: 5 })]
    for (const step of steps) expect(Object.isFrozen(step)).toBe(true)
  })

  it('has the scan policy of the caller, or the default', () => {
    expect(queryNode(customerModel).scans).toBe('tableRange')
    expect(queryNode(customerModel, 'none').scans).toBe('none')
  })

  it('joins filters, and leaves earlier nodes as they are', () => {
    const first = withFilter(queryNode(customerModel), age)
    const second = withFilter(first, active)
    expect(first.filter).toBe(age)
    expect(printFilter(second.filter!)).toBe('age gt 30 and active eq true')
  })
})

const query = queryOf(dynamicQueryModel('people'))

describe('compileQuery', () => {
  it('leaves out members that would say nothing', () => {
    expect(query.compile()).toStrictEqual({})
    expect(query.where({ age: 30 }).compile()).toStrictEqual({ filter: 'age eq 30' })
  })

  it('R-26: has $filter, $select and $top, and nothing else', () => {
    const all = query.where({ age: 30 }).select('age').pageSize(10).take(50).allowTableScan()
    expect(Object.keys(all.compile())).toEqual(['filter', 'select', 'top'])
  })

  it.each([
    [query.take(5), 5],
    [query.take(999), 999],
    [query.take(1000), undefined],
    [query.take(5000), undefined],
    [query.pageSize(1000), 1000],
    [query.pageSize(10).take(5), 5],
    [query.pageSize(10).take(50), 10],
  ])('limits a page by the limit and the page size: %#', (limited, top) => {
    expect(limited.compile().top).toBe(top)
  })

  it('does not send the limit of a query with a local filter', () => {
    const node = withChange(queryNode(dynamicQueryModel('people')), { localTests: [() => true] })
    expect(compileQuery(withChange(node, { take: 5 }))).toStrictEqual({})
    expect(compileQuery(withChange(node, { take: 5, pageSize: 10 }))).toStrictEqual({ top: 10 })
  })

  it('returns a new list of names every time', () => {
    const projected = query.select('age')
    projected.compile().select?.push('more')
    expect(projected.compile().select).toEqual(['PartitionKey', 'RowKey', 'Timestamp', 'age'])
  })
})

const filterOf = (text: string) => parseFilter(text) ?? expect.unreachable()

function nodesOf(...texts: string[]) {
  const parallel = { ranges: texts.map(filterOf), concurrency: 8, order: 'keys' as const }
  return rangeNodes(withChange(everything, { parallel, filter: filterOf('n gt 1') }))
}

it('adds the shared condition to each range, in the order in which rows can begin', () => {
  const nodes = nodesOf("PartitionKey eq 'b'", "PartitionKey ge 'a'", 'm eq 1')
  expect(nodes.map(({ node }) => node.filter && printFilter(node.filter))).toEqual([
    'n gt 1 and m eq 1',
    "n gt 1 and PartitionKey ge 'a'",
    "n gt 1 and PartitionKey eq 'b'",
  ])
  for (const { node } of nodes) expect(node.parallel).toBeUndefined()
})

it('uses a bound on RowKey only within one partition, since RowKeys begin again in the next', () => {
  const lows = nodesOf(
    "PartitionKey eq 'a' and RowKey gt 'm'",
    "PartitionKey ge 'a' and RowKey gt 'n'",
  ).map(({ low }) => low)
  expect(lows).toEqual([
    { partitionKey: 'a', rowKey: '' },
    { partitionKey: 'a', rowKey: 'm' },
  ])
})

it('returns nothing for a single query', () => {
  expect(rangeNodes(everything)).toEqual([])
})

it('finds the lowest key of a condition on a part', () => {
  const ranges = ["state eq 'WA'", "state eq 'CA'"].map(filterOf)
  const parallel = { ranges, concurrency: 8, order: 'keys' as const }
  const nodes = rangeNodes({ ...everything, model: keyModel, parallel })
  expect(nodes.map(({ low }) => low.partitionKey)).toEqual(['CA;', 'WA;'])
})
