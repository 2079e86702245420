import { describe, expect, it } from 'vitest'
import { crashRounds } from '../../../scripts/crash/crash-rounds.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

describe('a durable service that is killed while it writes', () => {
  it('keeps every acknowledged write and no partial batch', async () => {
    const figures = await crashRounds({ folder: await temporaryFolder(), rounds: 4, seed: 7 })
    expect(figures).toMatchObject({ kills: 4, wrong: [] })
    expect(figures.acknowledged).toBeGreaterThan(50)
  }, 300_000)
})
