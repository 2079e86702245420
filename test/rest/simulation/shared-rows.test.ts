import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { SharedRows } from './shared-rows.ts'

const PATIENCE = 300_000
const SEEDS = [1, 2, 3].slice(0, randomSteps(3))

describe('clients that share a row over a faulty network, with exact writes', () => {
  it.each(SEEDS)(
    'count every increment once, and lose none (seed %i)',
    async (seed) => {
      const { claimed, stored } = await new SharedRows(seed, true).increments(25)
      expect(claimed).toHaveLength(200)
      expect(new Set(claimed).size).toBe(200)
      expect(stored).toBe(200)
    },
    PATIENCE,
  )

  longTest.each(SEEDS)(
    'never hold a lock together (seed %i)',
    async (seed) => {
      expect(await new SharedRows(seed, true).locks(10)).toBe(1)
    },
    PATIENCE,
  )
})

describe('clients that write whatever is stored', () => {
  longTest(
    'lose increments, which the check finds',
    async () => {
      const { claimed, stored } = await new SharedRows(1, true).increments(25, '*')
      expect(claimed).toHaveLength(200)
      expect(new Set(claimed).size).toBeLessThan(200)
      expect(stored).toBeLessThan(200)
    },
    PATIENCE,
  )
})

describe('clients without exact writes', () => {
  longTest(
    'hold a lock of equal content together, which the check finds',
    async () => {
      let holders = 0
      for (let seed = 1; seed <= 5 && holders < 2; seed++) {
        holders = await new SharedRows(seed, false).locks(10)
      }
      expect(holders).toBeGreaterThan(1)
    },
    PATIENCE,
  )
})
