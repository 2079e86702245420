import { parseFilter, pointReadsOf } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { withChange } from '../../../packages/query/src/query-node.ts'
import { pointPlan } from '../../../packages/query/src/run/point-plan.ts'
import { everything } from '../run-of.ts'

it('is a plan of points, whatever the service would make of the filter', () => {
  const rowKeys = Array.from({ length: 20 }, (_, n) => `RowKey eq '${n}'`).join(' or ')
  const filter = parseFilter(`PartitionKey eq 'a' and (${rowKeys})`)
  const keys = pointReadsOf(filter) ?? []
  const plan = pointPlan(withChange(everything, { filter, take: 5 }), keys)
  expect(plan).toMatchObject({ plan: 'point', comparisons: 21, pointReads: keys })
  expect(plan.reasons).toEqual([
    'Reads 20 entities by their keys, up to 8 at once; by pages, it is one query with the plan partitionScan.',
  ])
  expect(plan).not.toHaveProperty('top')
  expect(plan).not.toHaveProperty('warnings')
})

it('keeps the warning that rows are dropped on this side', () => {
  const filter = parseFilter("PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '2')")
  const node = withChange(everything, { filter, localFilter: () => true })
  expect(pointPlan(node, pointReadsOf(filter) ?? []).warnings).toEqual([
    expect.stringMatching(/^filterLocally drops rows after they were read/),
  ])
})

it('says so when it reads one entity, or none', () => {
  const plan = (keys: number) =>
    pointPlan(everything, Array(keys).fill({ partitionKey: 'a', rowKey: '1' })).reasons.join()
  expect(plan(1)).toMatch(/^Reads one entity by its key;/)
  expect(plan(0)).toMatch(/^Asks for nothing, since the conditions on the keys contradict/)
})
