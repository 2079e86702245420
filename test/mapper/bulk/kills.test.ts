import { describe, expect, it } from 'vitest'
import { IMPORTS, playImport } from './killed-imports.ts'

describe('a bulk write whose process is killed between any two steps, and whose disk fills', () => {
  it.each(Object.entries(IMPORTS))(
    'R-24: applies each of its operations once: %s',
    async (_, kind) => {
      const fired = { kills: 0, fullDisks: 0 }
      for (let seed = 1; seed <= 20; seed++) {
        const result = await playImport(kind, seed)
        expect(result.wrong, `seed ${seed}`).toBe('')
        fired.kills += result.fired.kills
        fired.fullDisks += result.fired.fullDisks
      }
      expect(Math.min(fired.kills, fired.fullDisks)).toBeGreaterThan(5)
    },
    60_000,
  )
})
