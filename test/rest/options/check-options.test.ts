import { checkOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkWholeNumber } from '../../../packages/rest/src/options/check-options.ts'

describe('checkOptions', () => {
  it('lets known names pass, and none at all', () => {
    expect(() => checkOptions({ retry: 1 }, ['retry', 'signal'], 'get')).not.toThrow()
    expect(() => checkOptions({}, [], 'get')).not.toThrow()
  })

  it('names the unknown option, the place and the known ones', () => {
    expect(() => checkOptions({ retires: 1 }, ['retry', 'signal'], 'get')).toThrow(
      expect.objectContaining({
        code: 'UnknownOption',
        message: "get has no option 'retires'. It has: retry, signal.",
      }),
    )
  })

  it.each([null, undefined, 7, 'retry'])('refuses %j, which is no object', (garbage) => {
    expect(() => checkOptions(garbage, ['retry'], 'get')).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })
})

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
