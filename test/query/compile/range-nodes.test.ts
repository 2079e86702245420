import { parseFilter, printFilter } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { rangeNodes } from '../../../packages/query/src/compile/range-nodes.ts'
import { withChange } from '../../../packages/query/src/node/query-node.ts'
import { keyModel } from '../key/key-model.ts'
import { everything } from '../run-of.ts'

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
