import { checkScanPolicy, type PlanClass, QueryError, type ScanPolicy } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import {
  allowsPlan,
  DEFAULT_SCAN_POLICY,
  freerPolicy,
} from '../../packages/query/src/scan-policy.ts'

const plans: readonly PlanClass[] = ['point', 'range', 'partitionScan', 'tableRange', 'tableScan']

describe('a scan policy', () => {
  it.each<[ScanPolicy, readonly PlanClass[]]>([
    ['none', ['point', 'range']],
    ['partitionScan', ['point', 'range', 'partitionScan']],
    ['tableRange', ['point', 'range', 'partitionScan', 'tableRange']],
    ['tableScan', plans],
  ])('R-40: %s allows what is no dearer', (policy, allowed) => {
    expect(plans.filter((plan) => allowsPlan(policy, plan))).toEqual(allowed)
  })

  it('R-40: refuses table scans alone when nobody says anything', () => {
    expect(plans.filter((plan) => !allowsPlan(DEFAULT_SCAN_POLICY, plan))).toEqual(['tableScan'])
  })

  it('is only ever made freer', () => {
    expect(freerPolicy('none', 'partitionScan')).toBe('partitionScan')
    expect(freerPolicy('tableScan', 'partitionScan')).toBe('tableScan')
  })

  it.each(['table', 'point', '', true, null, undefined, {}])('is not %o', (given) => {
    expect(() => checkScanPolicy(given)).toThrow(QueryError)
    expect(() => checkScanPolicy(given)).toThrow(/none, partitionScan, tableRange, tableScan/)
  })

  it('is each of the four words', () => {
    for (const policy of ['none', 'partitionScan', 'tableRange', 'tableScan']) {
      expect(() => checkScanPolicy(policy)).not.toThrow()
    }
  })
})
