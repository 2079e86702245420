import { storageExponentialRetry } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { failedAttempt } from './failed-attempt.ts'

/** The random number that varies the second part of a wait by this factor. */
const varying = (factor: number) => (factor - 0.8) / 0.4

/** The waits of a call that fails until it gives up, with the factor that each varies by. */
function waits(attempts: number, factors: readonly number[]): (number | undefined)[] {
  const policy = storageExponentialRetry({ attempts })
  return factors.map((factor, index) => {
    const random = () => varying(factor)
    const delay = policy.delayAfter(failedAttempt({ number: index + 1, random }))
    return delay === undefined ? undefined : Math.round(delay)
  })
}

describe('storageExponentialRetry', () => {
  it('R-111: waits 3,000, 35,691 and 90,000 ms as the Java client was seen to', () => {
    expect(waits(4, [1, 32_691 / 30_000, 1, 1])).toEqual([3000, 35_691, 90_000, undefined])
  })

  it('R-111: waits 3,000, 28,442, 80,000 and then 90,000 ms with six tries after the first', () => {
    const factors = [1, 25_442 / 30_000, 77_000 / 90_000, 1, 1, 1, 1]
    expect(waits(7, factors)).toEqual([3000, 28_442, 80_000, 90_000, 90_000, 90_000, undefined])
  })

  it('R-111: varies by a fifth either way', () => {
    expect(waits(4, [1, 0.8])[1]).toBe(27_000)
    expect(waits(4, [1, 1.2])[1]).toBe(39_000)
  })

  it('waits as long as the service asks, but not longer than maxDelay', () => {
    const policy = storageExponentialRetry()
    expect(policy.delayAfter(failedAttempt({ retryAfter: 5 }))).toBe(5)
    expect(policy.delayAfter(failedAttempt({ retryAfter: 1e9 }))).toBe(90_000)
  })

  it('gives up on what does not pass by itself', () => {
    expect(storageExponentialRetry().delayAfter(failedAttempt({ transient: false }))).toBe(
      undefined,
    )
  })

  it.each([
    [{ attempts: 0 }, 'attempts'],
    [{ minDelay: -1 }, 'minDelay'],
    [{ deltaDelay: 0.1 }, 'deltaDelay'],
    [{ maxDelay: '9' }, 'maxDelay'],
    [{ tries: 3 }, 'tries'],
  ])('refuses the options %j, and names the one that is wrong', (options, name) => {
    expect(() => storageExponentialRetry(options as never)).toThrow(name)
  })
})
