import { describe, expect, it } from 'vitest'
import { CHECK_NAMES } from '../../../packages/rest/src/checks/check-name.ts'

describe('CHECK_NAMES', () => {
  it('has every check once, in order', () => {
    expect([...CHECK_NAMES]).toEqual([...new Set(CHECK_NAMES)].sort())
    expect(CHECK_NAMES).toContain('entitySize')
  })
})
