import { datedPolicyId } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('datedPolicyId', () => {
  it('R-76: is another one each time, and says when it was made', () => {
    const noon = Date.UTC(2026, 10, 20, 12)
    expect(datedPolicyId('support', noon)).toBe('support-20261120T120000000Z')
    expect(datedPolicyId('support', noon + 1)).toBe('support-20261120T120000001Z')
    expect(datedPolicyId('support')).toMatch(/^support-\d{8}T\d{9}Z$/)
  })

  it('has room for names of 44 characters', () => {
    expect(datedPolicyId('x'.repeat(44), 0)).toHaveLength(64)
  })

  it.each(['', 'x'.repeat(45), 7, undefined])('refuses the name %j', (name) => {
    expect(() => datedPolicyId(name as string, 0)).toThrow(
      expect.objectContaining({ code: 'InvalidAccessPolicy' }),
    )
  })
})
