import { parseFilter } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { parallelPlan } from '../../../packages/query/src/parallel/parallel-plan.ts'
import { withChange } from '../../../packages/query/src/query-node.ts'
import { keyModel } from '../key/key-model.ts'
import { everything } from '../run-of.ts'

function planOf(...texts: string[]) {
  const ranges = texts.map((text) => parseFilter(text) ?? expect.unreachable())
  const parallel = { ranges, concurrency: 2, order: 'arrival' as const }
  return parallelPlan(withChange(everything, { parallel, take: 5 }), parallel)
}

it('tells the plan of each query, and the dearest as its own', () => {
  const plan = planOf("PartitionKey eq 'a' and RowKey eq 'b'", "PartitionKey ge 'a' and n gt 1")
  expect(plan).toMatchObject({ plan: 'tableRange', comparisons: 2, top: 5 })
  expect(plan.queries?.map((query) => query.plan)).toEqual(['tableRange', 'point'])
  expect(plan.reasons[0]).toBe('Runs 2 queries, up to 2 at once; rows come as they arrive.')
})

it('says each reason once', () => {
  const { reasons } = planOf("PartitionKey eq 'a'", "PartitionKey eq 'b'")
  expect(new Set(reasons).size).toBe(reasons.length)
})

it('costs nothing when there is no query', () => {
  expect(planOf()).toMatchObject({ plan: 'point', comparisons: 0, queries: [] })
})

it('warns of what its queries warn of, each once', () => {
  const ranges = ["PartitionKey eq 'a'", "PartitionKey eq 'b'"].map((text) => parseFilter(text)!)
  const parallel = { ranges, concurrency: 2, order: 'keys' as const }
  const node = withChange(everything, { parallel, scans: 'none', localFilter: () => true })
  expect(parallelPlan(node, parallel).warnings).toEqual([
    'Running it is refused unless .allowPartitionScan() is said.',
    expect.stringMatching(/^filterLocally drops rows/),
  ])
  expect(planOf("PartitionKey eq 'a'")).not.toHaveProperty('warnings')
})

it('needs no part of a key before its queries say it', () => {
  const filter = parseFilter("city eq 'Kent'")!
  const ranges = ["state eq 'WA'", "state eq 'OR'"].map((text) => parseFilter(text)!)
  const parallel = { ranges, concurrency: 2, order: 'keys' as const }
  const plan = parallelPlan(withChange(everything, { model: keyModel, filter, parallel }), parallel)
  expect(plan).not.toHaveProperty('filter')
  expect(plan.queries?.map((query) => query.filter)).toEqual([
    "PartitionKey eq 'OR;Kent' and RowKey ge 'o_' and RowKey lt 'o`'",
    "PartitionKey eq 'WA;Kent' and RowKey ge 'o_' and RowKey lt 'o`'",
  ])
})
