import { parseFilter } from '@rowkey/odata'
import { dynamicQueryModel, queryNode, type ScanPolicy } from '@rowkey/query'
import { expect, it } from 'vitest'
import { withFilter } from '../../../packages/query/src/node/query-node.ts'
import { checkScan } from '../../../packages/query/src/run/run-pages.ts'
import { partitionScan, tableScan } from '../../support/rejections.ts'

const check = (filter: string, scans?: ScanPolicy) => () =>
  checkScan(withFilter(queryNode(dynamicQueryModel('people'), scans), parseFilter(filter)!))

const partition = "PartitionKey eq 'Smith'"
const partitions = "PartitionKey ge 'A' and PartitionKey lt 'B'"

it('R-40: rejects a table scan, and names both ways out', () => {
  expect(check('age gt 30')).toThrow(tableScan)
  expect(check('age gt 30')).toThrow(
    /people does not bound PartitionKey.*whole table.*age gt 30.*condition on PartitionKey.*allowTableScan/,
  )
  expect(check('age gt 30', 'tableScan')).not.toThrow()
})

it('allows partitions and ranges of them by default', () => {
  expect(check(partition)).not.toThrow()
  expect(check(partitions)).not.toThrow()
})

it('rejects a partition scan where the policy excludes it, and names both ways out', () => {
  expect(check(partition, 'none')).toThrow(partitionScan)
  expect(check(partition, 'none')).toThrow(
    /does not bound RowKey.*whole partition.*condition on RowKey.*allowPartitionScan/,
  )
  expect(check(`${partition} and RowKey ge 'A'`, 'none')).not.toThrow()
})

it('rejects a range of partitions where the policy excludes it', () => {
  expect(check(partitions, 'partitionScan')).toThrow(tableScan)
  expect(check(partitions, 'none')).toThrow(/every partition of a range/)
  expect(check(partitions, 'none')).toThrow(
    expect.objectContaining({ details: { model: 'people', filter: partitions } }),
  )
})
