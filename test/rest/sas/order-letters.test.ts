import { describe, expect, it } from 'vitest'
import { orderLetters } from '../../../packages/rest/src/sas/order-letters.ts'

describe('orderLetters', () => {
  it('R-70: sorts into the order of the service', () => {
    expect(orderLetters('duar', 'raud', 'permissions')).toBe('raud')
    expect(orderLetters('d', 'raud', 'permissions')).toBe('d')
  })

  it.each(['', 'x', 'rx', 'rr', 'R', 7, undefined])('refuses %j and names the option', (given) => {
    expect(() => orderLetters(given as string, 'raud', 'permissions')).toThrow(
      /^permissions of a SAS must be letters out of 'raud'/,
    )
  })
})
