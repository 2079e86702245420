import { parseFilter } from '@rowkey/odata'
import type { PlanClass } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { planClassOf } from '../../packages/query/src/plan-class.ts'

const sales = "PartitionKey eq 'Sales'"

const plans: readonly [filter: string, plan: PlanClass][] = [
  [`${sales} and RowKey eq '2'`, 'point'],
  [`${sales} and RowKey eq '2' and age gt 30`, 'point'],
  [`${sales} and RowKey ge 'S' and RowKey lt 'T'`, 'range'],
  [`${sales} and RowKey gt ''`, 'range'],
  [sales, 'partitionScan'],
  [`${sales} and LastName eq 'Smith'`, 'partitionScan'],
  [`${sales} and RowKey ge ''`, 'partitionScan'],
  [`${sales} and (RowKey eq '121' or RowKey eq '322')`, 'partitionScan'],
  [`${sales} and RowKey ne '2'`, 'partitionScan'],
  [`${sales} and not (RowKey eq '2')`, 'partitionScan'],
  ["PartitionKey ge 'A' and PartitionKey lt 'B'", 'tableRange'],
  ["PartitionKey gt 'A' and RowKey eq '2'", 'tableRange'],
  ["PartitionKey le 'A'", 'tableRange'],
  ["LastName eq 'Jones'", 'tableScan'],
  ["RowKey eq '2'", 'tableScan'],
  ["PartitionKey ge ''", 'tableScan'],
  ["PartitionKey ne 'Sales'", 'tableScan'],
  ["PartitionKey eq 'A' or PartitionKey eq 'B'", 'tableScan'],
  [`not (${sales})`, 'tableScan'],
  ['true', 'tableScan'],
]

describe('planClassOf', () => {
  it.each(plans)('R-40: %s is a %s', (filter, plan) => {
    expect(planClassOf(parseFilter(filter))).toBe(plan)
  })

  it('R-40: no condition at all is a tableScan', () => {
    expect(planClassOf(undefined)).toBe('tableScan')
  })
})
