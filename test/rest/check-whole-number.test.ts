import { describe, expect, it } from 'vitest'
import { checkWholeNumber } from '../../packages/rest/src/check-whole-number.ts'

describe('checkWholeNumber', () => {
  it.each([1, 30_000, 2 ** 31 - 1])('takes %d', (value) => {
    expect(checkWholeNumber(value, 'timeout', 'getEntity')).toBe(value)
  })

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null, undefined])(
    'refuses %o, and names option and place',
    (value) => {
      expect(() => checkWholeNumber(value, 'timeout', 'getEntity')).toThrow(
        expect.objectContaining({
          code: 'InvalidOptionValue',
          message: 'timeout of getEntity must be a whole number from 1 to 2147483647.',
        }),
      )
    },
  )
})
