import { setServiceProperties, setTableAcl } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { repeatable, UNDECIDED } from '../../../packages/rest/src/request/operation.ts'

describe('repeatable', () => {
  it('declares that repeating is harmless, and decides nothing', () => {
    expect(repeatable).toEqual({})
    expect(UNDECIDED).toEqual({ outcome: 'unknown' })
  })

  it('is the reconciliation of operations that replace everything', () => {
    expect(setTableAcl.reconcile).toBe(repeatable)
    expect(setServiceProperties.reconcile).toBe(repeatable)
  })
})
