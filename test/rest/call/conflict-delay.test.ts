import { describe, expect, it } from 'vitest'
import { conflictDelay } from '../../../packages/rest/src/call/conflict-delay.ts'

describe('conflictDelay', () => {
  it('doubles its bound with each attempt, up to two seconds', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => conflictDelay(attempt, 1))
    expect(bounds).toEqual([50, 100, 200, 400, 800, 1600, 2000, 2000])
  })

  it('is a random time below its bound', () => {
    expect(conflictDelay(3, 0)).toBe(0)
    expect(conflictDelay(3, 0.25)).toBe(50)
  })
})
