import { exponentialRetry, noRetry } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { failedAttempt as failed } from './failed-attempt.ts'

describe('exponentialRetry', () => {
  it('makes four attempts in all, with a bound that doubles', () => {
    const delays = [1, 2, 3, 4].map((number) => exponentialRetry().delayAfter(failed({ number })))
    expect(delays).toEqual([500, 1000, 2000, undefined])
  })

  it('waits anything from nothing up to the bound', () => {
    const policy = exponentialRetry({ baseDelay: 100 })
    expect(policy.delayAfter(failed({ random: () => 0 }))).toBe(0)
    expect(policy.delayAfter(failed({ random: () => 0.25 }))).toBe(25)
  })

  it('never waits longer than maxDelay', () => {
    const policy = exponentialRetry({ attempts: 99, baseDelay: 100, maxDelay: 250 })
    const delays = [1, 2, 3, 90].map((number) => policy.delayAfter(failed({ number })))
    expect(delays).toEqual([100, 200, 250, 250])
  })

  it('waits as long as the service asks, but not longer than maxDelay', () => {
    const policy = exponentialRetry({ maxDelay: 5000 })
    expect(policy.delayAfter(failed({ retryAfter: 0 }))).toBe(0)
    expect(policy.delayAfter(failed({ retryAfter: 1234 }))).toBe(1234)
    expect(policy.delayAfter(failed({ retryAfter: 60_000 }))).toBe(5000)
  })

  it('gives up on what does not pass by itself', () => {
    expect(exponentialRetry().delayAfter(failed({ transient: false }))).toBeUndefined()
  })

  it.each([
    [{ attempts: 0 }, 'attempts'],
    [{ attempts: Number.POSITIVE_INFINITY }, 'attempts'],
    [{ baseDelay: -1 }, 'baseDelay'],
    [{ maxDelay: '9' }, 'maxDelay'],
    [{ tries: 3 }, 'tries'],
    [null, 'object'],
  ])('refuses the options %j, and names the one that is wrong', (options, name) => {
    expect(() => exponentialRetry(options as never)).toThrow(name)
  })
})

describe('noRetry', () => {
  it('never tries again', () => {
    expect(noRetry.delayAfter(failed({}))).toBeUndefined()
  })
})
