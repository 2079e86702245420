import { parseFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { planReasons } from '../../packages/query/src/plan-reasons.ts'

const reasons = (text: string) => planReasons(parseFilter(text)).join('\n')

const P = "PartitionKey eq 'p'"

describe('planReasons', () => {
  it.each([
    [`${P} and RowKey eq '1'`, /^Reads one entity: PartitionKey and RowKey are given\.$/],
    [`${P} and RowKey gt '1' and age gt 3`, /^Reads a stretch of RowKeys in one partition\.$/],
    [`${P} and age gt 3`, /^Reads the whole partition.*\nOnly the keys are indexed/],
    [P, /^Reads the whole partition, since nothing bounds RowKey.*would read less\.$/],
    [`${P} and RowKey ne '1'`, /`RowKey ne` bounds nothing.*two queries/],
    [`${P} and not (RowKey eq '1')`, /RowKey stands under `not`/],
    [`${P} and (RowKey lt 'a' or RowKey gt 'b')`, /RowKey stands under `or`.*getMany/],
    ["PartitionKey gt 'a' and RowKey eq '1'", /stretch of PartitionKeys.*\nA bound on RowKey/],
    ["RowKey eq '1'", /whole table.*\nA bound on RowKey helps only within one partition/],
    ["PartitionKey eq 'a' or PartitionKey eq 'b'", /PartitionKey stands under `or`.*inPartitions/],
    [`not (${P})`, /PartitionKey stands under `not`/],
    ["PartitionKey ne 'a'", /`PartitionKey ne` bounds nothing/],
    ['active', /whole table.*\nOnly the keys are indexed/],
    ['true', /^Reads the whole table.*partition\.$/],
    ["PartitionKey gt 'b' and PartitionKey lt 'a'", /PartitionKey contradict each other/],
    [`${P} and RowKey gt 'b' and RowKey lt 'a'`, /RowKey contradict each other/],
    [
      `${P} and RowKey eq '1' or PartitionKey eq 'q' and RowKey eq '2'`,
      /names 2 entities by their whole keys/,
    ],
  ])('R-40: %s', (text, said) => {
    expect(reasons(text)).toMatch(said)
  })

  it('says each thing once, and nothing of a key that is bounded anyway', () => {
    const text = `${P} and (RowKey eq '1' or RowKey eq '2' or RowKey eq '3' and age gt 3)`
    expect(reasons(text).match(/stands under/g)).toHaveLength(1)
    expect(reasons(`${P} and RowKey ge 'a' and RowKey ne 'b'`)).not.toMatch(/RowKey ne/)
    expect(reasons(`${P} and (PartitionKey eq 'a' or age gt 3)`)).not.toMatch(/stands under/)
  })

  it('of no filter is the whole table', () => {
    expect(planReasons(undefined)).toEqual([expect.stringMatching(/whole table/)])
  })
})
