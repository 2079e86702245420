import { describe, expect } from 'vitest'
import { crashRounds } from '../../../scripts/crash/crash-rounds.ts'
import { casesToPlay, longTest } from '../../support/cases-to-play.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const KILLS = casesToPlay([1, 2, 3, 4]).length

describe('a durable service that is killed while it writes', () => {
  longTest(
    'keeps every acknowledged write and no partial batch',
    async () => {
      const figures = await crashRounds({ folder: await temporaryFolder(), rounds: KILLS, seed: 7 })
      expect(figures).toMatchObject({ kills: KILLS, wrong: [] })
      expect(figures.acknowledged).toBeGreaterThan(12 * KILLS)
    },
    300_000,
  )
})
