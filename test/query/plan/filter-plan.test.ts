import { type FilterNode, parseFilter, rawFilter } from '@rowkey/odata'
import { type PlanClass, planOf, type ScanPolicy, scanPolicyRule } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import {
  allowsPlan,
  DEFAULT_SCAN_POLICY,
  freer,
  planClassOf,
} from '../../../packages/query/src/plan/filter-plan.ts'

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
  it.each(plans)('R-40, R-165: %s is a %s', (filter, plan) => {
    expect(planClassOf(parseFilter(filter))).toBe(plan)
  })

  it('R-40: a query without a condition is a tableScan', () => {
    expect(planClassOf(undefined)).toBe('tableScan')
  })
})

const reasons = (text: string) => planOf(parseFilter(text)).reasons.join('\n')

const P = "PartitionKey eq 'p'"

describe('planOf', () => {
  it.each([
    [`${P} and RowKey eq '1'`, /^Reads one entity: PartitionKey and RowKey are given\.$/],
    [`${P} and RowKey gt '1' and age gt 3`, /^Reads a range of RowKeys in one partition\.$/],
    [`${P} and age gt 3`, /^Reads the whole partition.*\nOnly the keys are indexed/],
    [P, /^Reads the whole partition, since nothing bounds RowKey.*would read less\.$/],
    [`${P} and RowKey ne '1'`, /`ne` does not bound RowKey: .*by themselves/],
    [`${P} and not (RowKey eq '1')`, /`not` does not bound RowKey: /],
    [`${P} and (RowKey lt 'a' or RowKey gt 'b')`, /`or` does not bound RowKey: .*getMany/],
    ["PartitionKey gt 'a' and RowKey eq '1'", /range of PartitionKeys.*\nA bound on RowKey/],
    ["RowKey eq '1'", /whole table.*\nA bound on RowKey helps only within one partition/],
    [
      "PartitionKey eq 'a' or PartitionKey eq 'b'",
      /`or` does not bound PartitionKey: .*inPartitions/,
    ],
    [`not (${P})`, /`not` does not bound PartitionKey: /],
    ["PartitionKey ne 'a'", /`ne` does not bound PartitionKey: /],
    ['active', /whole table.*\nOnly the keys are indexed/],
    ['true', /^Reads the whole table.*partition\.$/],
    ["PartitionKey gt 'b' and PartitionKey lt 'a'", /PartitionKey contradict each other/],
    [`${P} and RowKey gt 'b' and RowKey lt 'a'`, /RowKey contradict each other/],
    [
      `${P} and RowKey eq '1' or PartitionKey eq 'q' and RowKey eq '2'`,
      /names 2 entities by their whole keys/,
    ],
  ])('R-40: %s', (text, expected) => {
    expect(reasons(text)).toMatch(expected)
  })

  it('gives each reason once, and none about a key that is bounded', () => {
    const text = `${P} and (RowKey eq '1' or RowKey eq '2' or RowKey eq '3' and age gt 3)`
    expect(reasons(text).match(/does not bound/g)).toHaveLength(1)
    expect(reasons(`${P} and RowKey ge 'a' and RowKey ne 'b'`)).not.toMatch(/does not bound RowKey/)
    expect(reasons(`${P} and (PartitionKey eq 'a' or age gt 3)`)).not.toMatch(/does not bound/)
  })

  it('reads the whole table without a filter', () => {
    expect(planOf(undefined).reasons).toEqual([expect.stringMatching(/whole table/)])
  })
})

describe('the reasons of planOf', () => {
  const UNDER = /`(or|not|ne)` does not bound RowKey/g
  const usesOf = (filter: FilterNode | undefined) =>
    Array.from(planOf(filter).reasons.join('\n').matchAll(UNDER), ([, under]) => under)

  it('name what keeps RowKey from being a bound', () => {
    const uses = (text: string) => usesOf(parseFilter(`${P} and (${text})`))
    expect(uses("RowKey ge 'b'")).toEqual([])
    expect(uses("RowKey ne 'a' and not (RowKey eq 'b')")).toEqual(['ne', 'not'])
    expect(uses("RowKey eq 'a' or age gt 3 and RowKey ne 'b'")).toEqual(['or'])
    expect(uses("not (RowKey eq 'a' or RowKey eq 'b')")).toEqual(['not'])
  })

  it.each([
    ["PartitionKey gt 'a' and not (RowKey eq 'b')", false],
    ['true', false],
    ['', false],
    ["PartitionKey eq 'a' or age gt 3", true],
    ['not (active)', true],
    ["Timestamp gt datetime'2020-01-01T00:00:00Z'", true],
  ])('tell whether %s uses more than the keys: %s', (text, expected) => {
    expect(/Only the keys are indexed/.test(reasons(text))).toBe(expected)
  })

  it('read raw text where that is possible, and else assume that it uses more than keys', () => {
    const indexed = (text: string) => planOf(rawFilter(text)).reasons.join('\n')
    expect(indexed(`${P} and not (RowKey eq 'b')`)).not.toMatch(/Only the keys/)
    expect(indexed(`${P} and age gt 3`)).toMatch(/Only the keys/)
    expect(indexed(`${P} and age add 1 gt 3`)).toMatch(/Only the keys/)
    expect(usesOf(rawFilter(`${P} and (RowKey eq 'b' or age gt 3)`))).toEqual(['or'])
  })
})

const plansOf: readonly PlanClass[] = ['point', 'range', 'partitionScan', 'tableRange', 'tableScan']

describe('a scan policy', () => {
  it.each<[ScanPolicy, readonly PlanClass[]]>([
    ['none', ['point', 'range']],
    ['partitionScan', ['point', 'range', 'partitionScan']],
    ['tableRange', ['point', 'range', 'partitionScan', 'tableRange']],
    ['tableScan', plansOf],
  ])('R-40: %s allows plansOf that cost no more', (policy, allowed) => {
    expect(plansOf.filter((plan) => allowsPlan(policy, plan))).toEqual(allowed)
  })

  it('R-40: excludes only table scans by default', () => {
    expect(plansOf.filter((plan) => !allowsPlan(DEFAULT_SCAN_POLICY, plan))).toEqual(['tableScan'])
  })

  it('can only become freer', () => {
    expect(freer('none', 'partitionScan')).toBe('partitionScan')
    expect(freer('tableScan', 'partitionScan')).toBe('tableScan')
  })

  it.each(['table', 'point', '', true, null, undefined, {}])(
    'has a rule that rejects %o',
    (given) => {
      expect(scanPolicyRule.accepts(given)).toBe(false)
    },
  )

  it('has a rule that names and accepts each of the four words', () => {
    expect(scanPolicyRule.text).toBe("'none', 'partitionScan', 'tableRange' or 'tableScan'")
    for (const policy of ['none', 'partitionScan', 'tableRange', 'tableScan']) {
      expect(scanPolicyRule.accepts(policy)).toBe(true)
    }
  })
})
