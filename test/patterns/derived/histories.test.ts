import { describe, expect, it } from 'vitest'
import { casesToPlay } from '../../support/cases-to-play.ts'
import { playHistories, seedsFrom } from './play-histories.ts'

/** `npm run check` plays those that follow, too. */
const SEEDS = casesToPlay([...seedsFrom(1, 100)])

describe(`${SEEDS.length} histories of programs with random declarations, some with none`, () => {
  it('R-146, R-166: give the rows of the scan and their sums, or an error that says why not', async () => {
    const { wrong, played } = await playHistories(SEEDS)
    expect(wrong).toEqual([])
    const { memory, cosmos, folder } = played
    expect(memory + cosmos + folder).toBe(SEEDS.length)
  }, 240_000)
})
