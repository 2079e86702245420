import { linearRetry } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { failedAttempt } from './failed-attempt.ts'

describe('linearRetry', () => {
  it('R-112: waits the same time after each attempt, a fixed number of times', () => {
    const policy = linearRetry({ attempts: 3, delay: 700 })
    const delays = [1, 2, 3].map((number) => policy.delayAfter(failedAttempt({ number })))
    expect(delays).toEqual([700, 700, undefined])
  })

  it('waits as long as the service asks, but not longer than maxDelay', () => {
    const policy = linearRetry({ maxDelay: 5000 })
    expect(policy.delayAfter(failedAttempt({}))).toBe(3000)
    expect(policy.delayAfter(failedAttempt({ retryAfter: 10 }))).toBe(10)
    expect(policy.delayAfter(failedAttempt({ retryAfter: 60_000 }))).toBe(5000)
  })

  it('gives up on what does not pass by itself', () => {
    expect(linearRetry().delayAfter(failedAttempt({ transient: false }))).toBeUndefined()
  })

  it.each([
    [{ attempts: 0 }, 'attempts'],
    [{ delay: 0.5 }, 'delay'],
    [{ maxDelay: '9' }, 'maxDelay'],
    [{ wait: 3 }, 'wait'],
  ])('refuses the options %j, and names the one that is wrong', (options, name) => {
    expect(() => linearRetry(options as never)).toThrow(name)
  })
})
