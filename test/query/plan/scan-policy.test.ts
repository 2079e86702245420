import { type PlanClass, type ScanPolicy, scanPolicyRule } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import {
  allowsPlan,
  DEFAULT_SCAN_POLICY,
  freer,
} from '../../../packages/query/src/plan/filter-plan.ts'

const plans: readonly PlanClass[] = ['point', 'range', 'partitionScan', 'tableRange', 'tableScan']

describe('a scan policy', () => {
  it.each<[ScanPolicy, readonly PlanClass[]]>([
    ['none', ['point', 'range']],
    ['partitionScan', ['point', 'range', 'partitionScan']],
    ['tableRange', ['point', 'range', 'partitionScan', 'tableRange']],
    ['tableScan', plans],
  ])('R-40: %s allows plans that cost no more', (policy, allowed) => {
    expect(plans.filter((plan) => allowsPlan(policy, plan))).toEqual(allowed)
  })

  it('R-40: excludes only table scans by default', () => {
    expect(plans.filter((plan) => !allowsPlan(DEFAULT_SCAN_POLICY, plan))).toEqual(['tableScan'])
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
