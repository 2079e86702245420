import { setServiceProperties, setTableAcl } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { repeatable, UNDECIDED } from '../../../packages/rest/src/request/operation.ts'

describe('repeatable', () => {
  it('declares that repeating does no harm, and decides nothing', () => {
    expect(repeatable).toEqual({})
    expect(UNDECIDED).toEqual({ outcome: 'unknown' })
  })

  it('is what the operations have that put a whole in the place of another', () => {
    expect(setTableAcl.reconcile).toBe(repeatable)
    expect(setServiceProperties.reconcile).toBe(repeatable)
  })
})
