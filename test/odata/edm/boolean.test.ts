import { edmCodecs } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const { Boolean: codec } = edmCodecs

describe('Boolean', () => {
  it('sorts false before true', () => {
    expect(codec.compare(false, true)).toBeLessThan(0)
    expect(codec.compare(true, false)).toBeGreaterThan(0)
    expect(codec.compare(true, true)).toBe(0)
  })

  it.each([0, 1, '', 'true', null, undefined, new Boolean(true)])(
    'does not take %o for one',
    (given) => {
      expect(() => codec.accept(given, 'active')).toThrow('Property "active" cannot hold')
    },
  )
})
