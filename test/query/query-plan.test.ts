import { parseFilter } from '@rowkey/odata'
import { dynamicQueryModel, type PlanClass, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'

const query = queryOf(dynamicQueryModel('people'))
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

describe('planQuery', () => {
  it.each(plans)('R-40: %s is a %s', (filter, plan) => {
    expect(query.where(parseFilter(filter)!).explain().plan).toBe(plan)
  })

  it('R-40: no condition at all is a tableScan', () => {
    expect(query.explain()).toStrictEqual({ plan: 'tableScan', comparisons: 0 })
  })

  it('warns of more comparisons than the service promises to take', () => {
    const ages = (count: number) =>
      Array.from({ length: count }, (_, age) => `age ne ${age}`).join(' and ')
    expect(query.where(parseFilter(ages(15))!).explain()).not.toHaveProperty('warnings')
    expect(query.where(parseFilter(ages(16))!).explain()).toMatchObject({
      comparisons: 16,
      warnings: [expect.stringMatching(/16 comparisons.*promises to take 15/)],
    })
  })

  it('tells what would be sent, and counts the comparisons', () => {
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
    })
  })
})
