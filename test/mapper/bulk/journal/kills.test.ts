import { describe, expect, it } from 'vitest'
import { randomSteps } from '../../../support/random-steps.ts'
import { IMPORTS, playImport } from './killed-imports.ts'

const SEEDS = randomSteps(60)

describe('a bulk write whose process is killed between any two steps, and whose disk fills', () => {
  it.each(Object.entries(IMPORTS))(
    'R-24: applies each of its operations once: %s',
    async (_, kind) => {
      const fired = { kills: 0, fullDisks: 0 }
      for (let seed = 1; seed <= SEEDS; seed++) {
        const result = await playImport(kind, seed)
        expect(result.wrong, `seed ${seed}`).toBe('')
        fired.kills += result.fired.kills
        fired.fullDisks += result.fired.fullDisks
      }
      expect(Math.min(fired.kills, fired.fullDisks)).toBeGreaterThan(SEEDS / 10)
    },
    60_000,
  )
})
