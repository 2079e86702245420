import { parseFilter, printFilter } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { rangeNodes } from '../../../packages/query/src/parallel/range-nodes.ts'
import { withChange } from '../../../packages/query/src/query-node.ts'
import { keyModel } from '../key/key-model.ts'
import { everything } from '../run-of.ts'

const filterOf = (text: string) => parseFilter(text) ?? expect.unreachable()

function nodesOf(...texts: string[]) {
  const parallel = { ranges: texts.map(filterOf), concurrency: 8, order: 'keys' as const }
  return rangeNodes(withChange(everything, { parallel, filter: filterOf('n gt 1') }))
}

it('gives each range what is asked of all, in the order in which rows can begin', () => {
  const nodes = nodesOf("PartitionKey eq 'b'", "PartitionKey ge 'a'", 'm eq 1')
  expect(nodes.map(({ node }) => node.filter && printFilter(node.filter))).toEqual([
    'n gt 1 and m eq 1',
    "n gt 1 and PartitionKey ge 'a'",
    "n gt 1 and PartitionKey eq 'b'",
  ])
  for (const { node } of nodes) expect(node.parallel).toBeUndefined()
})

it('looks at RowKey only in one partition, since RowKeys begin again in the next', () => {
  const lows = nodesOf(
    "PartitionKey eq 'a' and RowKey gt 'm'",
    "PartitionKey ge 'a' and RowKey gt 'n'",
  ).map(({ low }) => low)
  expect(lows).toEqual([
    { partitionKey: 'a', rowKey: '' },
    { partitionKey: 'a', rowKey: 'm' },
  ])
})

it('gives none for a query that is one', () => {
  expect(rangeNodes(everything)).toEqual([])
})

it('begins where the key of a part begins', () => {
  const ranges = ["state eq 'WA'", "state eq 'CA'"].map(filterOf)
  const parallel = { ranges, concurrency: 8, order: 'keys' as const }
  const nodes = rangeNodes({ ...everything, model: keyModel, parallel })
  expect(nodes.map(({ low }) => low.partitionKey)).toEqual(['CA;', 'WA;'])
})
