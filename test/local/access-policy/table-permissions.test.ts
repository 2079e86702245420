import { describe, expect, it } from 'vitest'
import { isTablePermissions } from '../../../packages/local/src/access-policy/signed-identifier.ts'

describe('isTablePermissions', () => {
  it.each(['r', 'raud', 'au', 'd'])('R-70: accepts %s', (text) => {
    expect(isTablePermissions(text)).toBe(true)
  })

  it.each(['', 'ar', 'rr', 'rw', 'r ', 'R', 'raudr'])('R-70: rejects %j', (text) => {
    expect(isTablePermissions(text)).toBe(false)
  })
})
