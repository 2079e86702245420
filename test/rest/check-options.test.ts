import { checkOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

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
