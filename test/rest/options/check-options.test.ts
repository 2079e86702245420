import { checkOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkWholeNumber } from '../../../packages/rest/src/options/check-options.ts'

describe('checkOptions', () => {
  it('accepts known names, and no names at all', () => {
    expect(() => checkOptions({ retry: 1 }, ['retry', 'signal'], 'get')).not.toThrow()
    expect(() => checkOptions({ retry: 1 }, { retry: true }, 'get')).not.toThrow()
    expect(() => checkOptions({}, [], 'get')).not.toThrow()
  })

  it('names the unknown option, the place and the known ones', () => {
    expect(() => checkOptions({ retires: 1 }, ['retry', 'signal'], 'get')).toThrow(
      expect.objectContaining({
        code: 'UnknownOption',
        message: "get has no option 'retires'. Its options are: retry, signal.",
        details: { option: 'retires' },
      }),
    )
    const misspelled: { retry?: number } = { retires: 1 } as object
    expect(() => checkOptions(misspelled, { retry: true }, 'get')).toThrow(
      "get has no option 'retires'. Its options are: retry.",
    )
  })

  it('rejects a name that only the prototype of its list has', () => {
    const misspelled: { retry?: number } = { toString: 1 } as object
    expect(() => checkOptions(misspelled, { retry: true }, 'get')).toThrow("no option 'toString'")
  })

  it.each([null, undefined, 7, 'retry'])('rejects %j, which is not an object', (garbage) => {
    expect(() => checkOptions(garbage, ['retry'], 'get')).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })
})

describe('checkWholeNumber', () => {
  it('accepts a smallest number of its own', () => {
    expect(checkWholeNumber(0, 'delay', 'linearRetry', 0)).toBe(0)
    expect(() => checkWholeNumber(-1, 'delay', 'linearRetry', 0)).toThrow('from 0 to 2147483647')
  })

  it('accepts a largest number of its own', () => {
    const accepted = (value: number) => checkWholeNumber(value, 'total', 'bulk', 0, 2 ** 32)
    expect(accepted(2 ** 32)).toBe(2 ** 32)
    expect(() => accepted(2 ** 32 + 1)).toThrow('from 0 to 4294967296')
  })

  it.each([1, 30_000, 2 ** 31 - 1])('accepts %d', (value) => {
    expect(checkWholeNumber(value, 'timeout', 'getEntity')).toBe(value)
  })

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null, undefined])(
    'rejects %o, and names the option and the place',
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
