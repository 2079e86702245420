import { callOptions, noRetry } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('callOptions', () => {
  it('accepts valid values', () => {
    const { signal } = new AbortController()
    expect(() => callOptions.check({ timeout: 1, retry: noRetry, signal }, 'get')).not.toThrow()
    expect(() => callOptions.check({}, 'get')).not.toThrow()
  })

  it('lists the valid location modes', () => {
    expect(() => callOptions.check({ locationMode: 'primary' as never }, 'get')).toThrow(
      "locationMode of get must be 'primaryOnly', 'primaryThenSecondary', 'secondaryOnly' or 'secondaryThenPrimary'; got \"primary\".",
    )
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
    ['locationMode', 'primary'],
    ['locationMode', 7],
    ['locationMode', null],
    ['locationMode', 'toString'],
    ['exactWrites', 1],
    ['idempotencyKey', 'a b'],
    ['idempotencyKey', ''],
    ['deadline', 0],
    ['deadline', { endsAt: Number.NaN }],
    ['context', null],
    ['context', {}],
    ['context', []],
  ])('rejects %s of %j, and names the option', (name, value) => {
    expect(() => callOptions.check({ [name]: value }, 'get')).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: expect.stringContaining(`${name} of get`),
      }),
    )
  })
})
