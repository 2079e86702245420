import { parseFilter } from '@rowkey/odata'
import { dynamicQueryModel, planOf, queryOf } from '@rowkey/query'
import { describe, expect, it } from 'vitest'

const query = queryOf(dynamicQueryModel('people'))
describe('planQuery', () => {
  it('R-40: explains a query of no condition', () => {
    expect(query.explain()).toStrictEqual({
      plan: 'tableScan',
      comparisons: 0,
      reasons: ['Reads the whole table, since nothing bounds PartitionKey. Name a partition.'],
      warnings: ['Running it is refused unless .allowTableScan() is said.'],
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
        expect.stringMatching(/RowKey stands under `or`.*getMany/),
        'It names 2 entities by their whole keys: that many reads by key cost less.',
      ],
    })
    expect(query.where(parseFilter(text)!).explain()).toMatchObject(planOf(parseFilter(text)))
    expect(planOf(undefined).plan).toBe('tableScan')
  })

  it('warns of more comparisons than the service promises to take', () => {
    const ages = (count: number) =>
      Array.from({ length: count }, (_, age) => `age ne ${age}`).join(' and ')
    const scan = query.allowTableScan()
    expect(scan.where(parseFilter(ages(15))!).explain()).not.toHaveProperty('warnings')
    expect(scan.where(parseFilter(ages(16))!).explain()).toMatchObject({
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
      reasons: [
        expect.stringMatching(/^Reads the whole partition/),
        expect.stringMatching(/^Only the keys are indexed/),
      ],
    })
  })
})
