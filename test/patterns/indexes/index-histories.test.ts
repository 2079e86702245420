import { describe, expect, it } from 'vitest'
import { casesToPlay } from '../../support/cases-to-play.ts'
import { playHistories, seedsFrom } from './play-histories.ts'

/** `npm run check` plays those that follow, too. */
const SEEDS = casesToPlay([...seedsFrom(1, 100)])

describe(`${SEEDS.length} histories of programs of two versions with random declarations`, () => {
  it('give the rows of the scan and their sums, or an error that says why not', async () => {
    const { wrong, played } = await playHistories(SEEDS)
    expect(wrong).toEqual([])
    const { memory, cosmos, folder } = played
    expect(memory + cosmos + folder).toBe(SEEDS.length)
    expect(Math.min(memory, cosmos, folder)).toBeGreaterThanOrEqual(Math.floor(SEEDS.length / 25))
  }, 240_000)
})
