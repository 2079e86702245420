import { noRetry } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkCallValues } from '../../../packages/rest/src/retry/call-options.ts'

describe('checkCallValues', () => {
  it('accepts valid values', () => {
    const { signal } = new AbortController()
    expect(() => checkCallValues({ timeout: 1, retry: noRetry, signal }, 'get')).not.toThrow()
    expect(() => checkCallValues({}, 'get')).not.toThrow()
  })

  it.each([
    ['timeout', 0],
    ['timeout', -1],
    ['timeout', Number.NaN],
    ['timeout', 1.5],
    ['timeout', 2 ** 31],
    ['timeout', '5'],
    ['timeout', null],
    ['retry', 3],
    ['retry', null],
    ['signal', {}],
    ['signal', null],
  ])('rejects %s of %j, and names the option', (name, value) => {
    expect(() => checkCallValues({ [name]: value }, 'get')).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: expect.stringContaining(`${name} of get`),
      }),
    )
  })
})
