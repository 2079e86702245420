import { parseFilter } from '@rowkey/odata'
import { dynamicQueryModel, PartitionScanError, TableScanError } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { checkScan } from '../../packages/query/src/check-scan.ts'
import { queryNode, withFilter } from '../../packages/query/src/query-node.ts'
import type { ScanPolicy } from '../../packages/query/src/scan-policy.ts'

const check = (filter: string, scans?: ScanPolicy) => () =>
  checkScan(withFilter(queryNode(dynamicQueryModel('people'), scans), parseFilter(filter)!))

const partition = "PartitionKey eq 'Smith'"
const partitions = "PartitionKey ge 'A' and PartitionKey lt 'B'"

describe('checkScan', () => {
  it('R-40: refuses a table scan, and says both ways out', () => {
    expect(check('age gt 30')).toThrow(TableScanError)
    expect(check('age gt 30')).toThrow(
      /people sets no bounds to PartitionKey.*whole table.*age gt 30.*condition on PartitionKey.*allowTableScan/,
    )
    expect(check('age gt 30', 'tableScan')).not.toThrow()
  })

  it('lets partitions and ranges of them pass when nobody says anything', () => {
    expect(check(partition)).not.toThrow()
    expect(check(partitions)).not.toThrow()
  })

  it('refuses a partition scan where a setting says so, and says both ways out', () => {
    expect(check(partition, 'none')).toThrow(PartitionScanError)
    expect(check(partition, 'none')).toThrow(
      /no bounds to RowKey.*whole partition.*condition on RowKey.*allowPartitionScan/,
    )
    expect(check(`${partition} and RowKey ge 'A'`, 'none')).not.toThrow()
  })

  it('refuses a range of partitions where a setting says so', () => {
    expect(check(partitions, 'partitionScan')).toThrow(TableScanError)
    expect(check(partitions, 'none')).toThrow(/every partition of a range/)
  })
})
