import { timeLeft } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('timeLeft', () => {
  const clock = { now: () => 1_000 }

  it('counts the milliseconds until the deadline of a pending call', () => {
    expect(timeLeft({ deadline: { endsAt: 1_100 } }, clock)).toBe(100)
    expect(timeLeft({ deadline: { endsAt: 900 } }, clock)).toBe(-100)
  })

  it('is infinite without a deadline, and before it begins', () => {
    expect(timeLeft({}, clock)).toBe(Number.POSITIVE_INFINITY)
    expect(timeLeft({ deadline: 5 }, clock)).toBe(Number.POSITIVE_INFINITY)
  })
})
