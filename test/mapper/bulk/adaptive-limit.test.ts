import { describe, expect, it } from 'vitest'
import { AdaptiveLimit } from '../../../packages/mapper/src/bulk/adaptive-limit.ts'

describe('AdaptiveLimit', () => {
  it('adds one after as many successes as it allows at once, up to the most', () => {
    const limit = new AdaptiveLimit(2, 4)
    const steps = Array.from({ length: 12 }, () => {
      limit.succeeded()
      return limit.current
    })
    expect(steps).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4])
  })

  it('begins with the most if that is less', () => {
    expect(new AdaptiveLimit(4, 2).current).toBe(2)
  })

  it('halves once for all transactions that were in flight together, and never below one', () => {
    const limit = new AdaptiveLimit(16, 16)
    const together = [limit.begin(), limit.begin(), limit.begin()]
    for (const ticket of together) limit.throttled(ticket)
    expect(limit.current).toBe(8)
    limit.throttled(limit.begin())
    expect(limit.current).toBe(4)
    for (let time = 0; time < 5; time++) limit.throttled(limit.begin())
    expect(limit.current).toBe(1)
  })

  it('halves again when a later attempt of the same transaction is throttled', () => {
    const limit = new AdaptiveLimit(16, 16)
    const ticket = limit.begin()
    limit.throttled(ticket)
    limit.throttled(ticket)
    expect(limit.current).toBe(4)
  })

  it('forgets earlier successes when it halves', () => {
    const limit = new AdaptiveLimit(4, 8)
    for (let time = 0; time < 3; time++) limit.succeeded()
    limit.throttled(limit.begin())
    limit.succeeded()
    expect(limit.current).toBe(2)
    limit.succeeded()
    expect(limit.current).toBe(3)
  })
})
